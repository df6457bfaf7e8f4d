import { formatKey, type KubeObject, type ObjectKey, type ResourceType } from "@trimtab/apimachinery";
import type { Cache, CacheReader, EventListener, ObjectEvent } from "@trimtab/cache";
import type { ObjectMemory } from "@trimtab/client";

type Listener = EventListener<KubeObject>;

/** A cache that a test fills by hand. */
export class ScriptedCache implements Cache {
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #listeners = new Map<string, Listener[]>();
  #refused: string | undefined;
  readonly #synced = Promise.withResolvers<void>();

  readonly reader: CacheReader = {
    get: <T extends KubeObject>({ plural }: ResourceType<T>, key: ObjectKey) => {
      if (key.namespace === this.#refused) throw new Error(`${key.namespace} is not watched`);
      return this.#kind(plural).get(formatKey(key)) as T | undefined;
    },
    list: <T extends KubeObject>({ plural }: ResourceType<T>) => [...this.#kind(plural).values()] as T[],
    watches: (_, namespace) => namespace === undefined || namespace !== this.#refused,
    forbidden: () => undefined,
  };
  readonly memory: ObjectMemory = { recall: () => undefined, wrote: () => {}, deleted: () => {} };

  /** Makes this the state of the object, and tells whoever listens. */
  put<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    details: { readonly initial: boolean } = { initial: false },
  ): void {
    const key = formatKey(object.metadata);
    const previous = this.#kind(type.plural).get(key);
    this.#kind(type.plural).set(key, object);
    this.#tell(
      type,
      previous === undefined ? { type: "added", object } : { type: "updated", object, previous },
      details,
    );
  }

  remove(type: ResourceType, key: ObjectKey): void {
    const object = this.#kind(type.plural).get(formatKey(key));
    this.#kind(type.plural).delete(formatKey(key));
    if (object !== undefined) this.#tell(type, { type: "deleted", object }, { initial: false });
  }

  /** Has a look-up in this namespace throw, as a cache does of one that is not watched. */
  refuse(namespace: string): void {
    this.#refused = namespace;
  }

  sync(): void {
    this.#synced.resolve();
  }

  onEvent<T extends KubeObject>({ plural }: ResourceType<T>, listener: EventListener<T>): void {
    this.#listeners.set(plural, [...(this.#listeners.get(plural) ?? []), listener as unknown as Listener]);
  }

  async whenSynced(_types: readonly ResourceType[], signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    await Promise.race([this.#synced.promise, aborted]);
  }

  async run(): Promise<void> {}

  health(): readonly [] {
    return [];
  }

  #tell({ plural }: ResourceType, event: ObjectEvent<KubeObject>, details: { readonly initial: boolean }): void {
    for (const listener of this.#listeners.get(plural) ?? []) listener(event, details);
  }

  #kind(plural: string): Map<string, KubeObject> {
    const kind = this.#objects.get(plural) ?? new Map<string, KubeObject>();
    this.#objects.set(plural, kind);
    return kind;
  }
}
