import type { KubeObject } from "@trimtab/apimachinery";
import type { Client, Created } from "@trimtab/client";

/** What was sent: a POST of an Event, or a PATCH of its series. */
export interface Sent {
  readonly verb: "create" | "patch";
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the JSON
  readonly body: any;
  readonly signal: AbortSignal | undefined;
}

/** Takes Events as a client does, and fails where a test says so. */
export class EventServer {
  readonly sent: Sent[] = [];
  /** What each of the next requests fails with, or `undefined` for one that succeeds. */
  readonly failures: (Error | undefined)[] = [];
  /** Awaited before each answer. */
  hold: Promise<void> = Promise.resolve();

  get client(): Client {
    const client = {
      create: (_: unknown, object: Created<KubeObject>, { signal }: { signal?: AbortSignal } = {}) =>
        this.#answer({ verb: "create", name: object.metadata.name ?? "", body: object, signal }),
      mergePatch: (_: unknown, { name }: { name: string }, body: object, { signal }: { signal?: AbortSignal } = {}) =>
        this.#answer({ verb: "patch", name, body, signal }),
    };
    return client as unknown as Client;
  }

  get summary(): readonly string[] {
    return this.sent.map(({ verb, body }) =>
      verb === "create" ? `create ${body.reason} x${body.series?.count ?? 1}` : `patch x${body.series.count}`,
    );
  }

  async #answer(sent: Sent): Promise<void> {
    this.sent.push(sent);
    await this.hold;
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
  }
}
