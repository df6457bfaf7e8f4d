import type { KubeObject, ObjectKey, ResourceType } from "@trimtab/apimachinery";
import type { Client, ObjectMemory } from "@trimtab/client";
import type { EventListener } from "./event-listeners.ts";
import type { InformerOptions } from "./informer.ts";
import { Informers } from "./informers.ts";
import type { CacheListOptions } from "./store.ts";
import type { InformerHealth } from "./stream-health.ts";

export interface CacheOptions {
  readonly client: Pick<Client, "list" | "watch">;
  /** The manager whose managedFields entries are kept; all others are dropped. */
  readonly fieldManager: string;
  // biome-ignore lint/suspicious/noExplicitAny: informers of any kinds; each is used with objects of its own
  readonly informers: readonly InformerOptions<any>[];
  /**
   * Make all that is held immutable, so that code which changes what it read throws. About doubles
   * the cost of an event, so it is for tests and development.
   * @default false
   */
  readonly freeze?: boolean;
  /** Told when a watch or list fails, and when it is well again. */
  readonly onHealth?: (health: InformerHealth) => void;
  /** Told what a listener or `onHealth` threw, as `cause`; must not throw. @default a process warning */
  readonly onListenerError?: (error: Error) => void;
}

/** Reads memory, never the network; what this process wrote is already in it. */
export interface CacheReader<Cached extends KubeObject = KubeObject> {
  /** @throws {Error} if no informer holds that kind, or that namespace, or if it is forbidden */
  get<T extends Cached>(type: ResourceType<T>, key: ObjectKey): T | undefined;
  /** In no certain order. @throws {Error} if no informer holds that kind, or that namespace, or if it is forbidden */
  list<T extends Cached>(type: ResourceType<T>, options?: CacheListOptions): readonly T[];
  /** Whether an informer holds that kind in this namespace, or in all of them if none is named. */
  watches<T extends Cached>(type: ResourceType<T>, namespace?: string): boolean;
  /**
   * Why nothing is held of that kind in a namespace, though it is to be watched: the API server has forbidden it so far.
   * Once the others have synced that stays so until it can be listed, whatever else goes wrong there meanwhile. Reading it
   * throws, and a list of all namespaces is one of the others.
   */
  forbidden<T extends Cached>(type: ResourceType<T>, namespace: string): Error | undefined;
}

/** All informers of a process: one for each kind. */
export interface Cache {
  readonly reader: CacheReader;
  readonly memory: ObjectMemory;
  /** Listeners are called in the order of events, never inside another's call; added before `run`. */
  onEvent<T extends KubeObject>(type: ResourceType<T>, listener: EventListener<T>): void;
  /** Lists and watches until the signal aborts; never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Resolves once each of these kinds has been listed and its listeners have been told of all it holds; of
   * several namespaces, once those are that are not forbidden. Rejects with the signal's reason.
   */
  whenSynced(types: readonly ResourceType[], signal: AbortSignal): Promise<void>;
  health(): readonly InformerHealth[];
}

/** @throws {Error} if two informers are of the same kind, or one watches no namespace */
export function createCache(options: CacheOptions): Cache {
  const { client, fieldManager, freeze = false, onListenerError = (error) => process.emitWarning(error) } = options;
  const onHealth = (health: InformerHealth): void => {
    try {
      options.onHealth?.(health);
    } catch (cause) {
      onListenerError(
        new Error(`onHealth threw when told that the ${health.type.kind} informer is ${health.state}`, { cause }),
      );
    }
  };
  const informers = new Informers(options.informers, { client, fieldManager, freeze, onHealth, onListenerError });
  return {
    reader: {
      get: (type, key) => informers.of(type).get(key),
      list: (type, listOptions = {}) => informers.of(type).list(listOptions),
      watches: (type, namespace) => informers.find(type)?.watches(namespace) ?? false,
      forbidden: (type, namespace) => informers.find(type)?.forbidden(namespace),
    },
    memory: {
      recall: (type, key) => informers.find(type)?.recall(key),
      wrote: (type, object) => informers.find(type)?.wrote(object),
      deleted: (type, key, uid) => informers.find(type)?.deleted(key, uid),
    },
    onEvent: (type, listener) => informers.of(type).onEvent(listener),
    run: async (signal) => {
      await Promise.all(informers.all().map((informer) => informer.run(signal)));
    },
    whenSynced: async (types, signal) => {
      await unlessAborted(Promise.all(types.map((type) => informers.of(type).synced)), signal);
    },
    health: () => informers.all().flatMap((informer) => informer.health()),
  };
}

async function unlessAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
