import { ConfigMap } from "@trimtab/apimachinery";
import { onTestFinished } from "vitest";
import { Informer, type InformerOptions } from "../src/informer.ts";
import type { ObjectEvent } from "../src/object-event.ts";
import type { Pace } from "../src/pace.ts";
import type { InformerHealth } from "../src/stream-health.ts";
import { ScriptedClient, type ScriptedWatch } from "./scripted-client.ts";

/** Seconds of backing off are over in milliseconds. */
export const hurriedPace: Pace = { watchSeconds: 40, idleTimeoutMs: 55_000, secondMs: 2 };

/** An informer of ConfigMaps that runs against a script until the test is over. */
export class InformerUnderTest {
  readonly server: ScriptedClient = new ScriptedClient();
  readonly health: InformerHealth[] = [];
  readonly errors: Error[] = [];
  readonly events: string[] = [];
  readonly informer: Informer<ConfigMap>;

  constructor(options: Partial<InformerOptions<ConfigMap>> = {}, pace: Pace = hurriedPace) {
    this.informer = new Informer<ConfigMap>(
      { type: ConfigMap, ...options },
      {
        client: this.server.client,
        fieldManager: "mine",
        freeze: true,
        onHealth: (health) => this.health.push(health),
        onListenerError: (error) => this.errors.push(error),
        pace,
      },
    );
    this.informer.onEvent((event) => this.events.push(describe(event)));
  }

  run(): this {
    const stop = new AbortController();
    const running = this.informer.run(stop.signal);
    onTestFinished(async () => {
      stop.abort();
      await running;
    });
    return this;
  }

  /** Runs it and gives it these objects as its first list, and the watch that follows. */
  async synced(version: string, ...objects: readonly ConfigMap[]): Promise<ScriptedWatch> {
    this.run();
    const watch = (await this.server.watch())
      .open()
      .added(...objects)
      .bookmark(version, true);
    await this.informer.synced;
    return watch;
  }

  /** The events since this was last asked, once the informer has taken in all that was sent before. */
  async news(): Promise<readonly string[]> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.events.splice(0);
  }
}

/** `added a@1`, `updated a@1→2`, `deleted a@2`. */
function describe(event: ObjectEvent<ConfigMap>): string {
  const { name, resourceVersion } = event.object.metadata;
  const previous = event.type === "updated" ? `${event.previous.metadata.resourceVersion}→` : "";
  return `${event.type} ${name}@${previous}${resourceVersion}`;
}
