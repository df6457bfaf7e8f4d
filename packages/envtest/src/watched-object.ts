import type { KubeObject, ObjectKey, ResourceType } from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";

/** An object that is looked at as it changes; it need not exist yet. */
export class WatchedObject<T extends KubeObject & { readonly status?: unknown }> {
  readonly #client: Client;
  readonly #type: ResourceType<T>;
  readonly #key: ObjectKey;

  constructor(client: Client, type: ResourceType<T>, key: ObjectKey) {
    this.#client = client;
    this.#type = type;
    this.#key = key;
  }

  /** Resolves with the object, once it is there and `holds` says yes. @throws {Error} that tells its status, if that takes too long */
  async until(holds: (object: T) => boolean, timeoutMs: number): Promise<T> {
    let last: T | undefined;
    for await (const object of this.#states(undefined, timeoutMs)) {
      last = object;
      if (holds(object)) return object;
    }
    throw this.#stuckAt(last);
  }

  /** The states that the object goes through while `work` is done, oldest first. */
  async statesDuring(work: () => Promise<void>, timeoutMs: number): Promise<readonly T[]> {
    const before = await this.#client.get(this.#type, this.#key);
    await work();
    const after = await this.#client.get(this.#type, this.#key);
    const seen: T[] = [];
    if (after.metadata.resourceVersion === before.metadata.resourceVersion) return seen;
    // The API server remembers what has happened since.
    for await (const object of this.#states(before.metadata.resourceVersion, timeoutMs)) {
      seen.push(object);
      if (object.metadata.resourceVersion === after.metadata.resourceVersion) return seen;
    }
    throw this.#stuckAt(seen.at(-1));
  }

  /** Its states after a version, or from the present one on, until the time is over. */
  async *#states(after: string | undefined, timeoutMs: number): AsyncGenerator<T> {
    const { namespace, name } = this.#key;
    const options = {
      ...(namespace !== undefined && { namespace }),
      ...(after === undefined ? { sendInitialEvents: true } : { resourceVersion: after }),
      fieldSelector: `metadata.name=${name}`,
      signal: AbortSignal.timeout(timeoutMs),
    };
    for await (const event of this.#client.watch(this.#type, options)) {
      if (event.type === "ERROR") throw event.error;
      if (event.type === "ADDED" || event.type === "MODIFIED") yield event.object;
    }
  }

  #stuckAt(last: T | undefined): Error {
    return new Error(`${this.#type.kind} ${this.#key.name} did not get so far: ${JSON.stringify(last?.status)}`);
  }
}
