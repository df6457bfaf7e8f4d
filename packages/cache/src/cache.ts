import type { KubeObject, Labels, LabelSelector, ObjectKey, ResourceType } from "@trimtab/apimachinery";
import type { Client, ObjectMemory } from "@trimtab/client";
import type { ObjectEvent } from "./object-event.ts";

/** What an informer is to hold of a kind. */
export interface InformerOptions<T extends KubeObject = KubeObject> {
  readonly type: ResourceType<T>;
  /** @default all: one watch for each otherwise; of no meaning to a cluster-scoped kind */
  readonly namespaces?: readonly string[];
  readonly labelSelector?: LabelSelector;
  readonly fieldSelector?: string;
  /** Cuts an object down before it is stored; must keep its metadata. @default the identity */
  readonly transform?: (object: T) => T;
}

export interface CacheOptions {
  readonly client: Client;
  /** The manager whose managedFields entries are kept; all others are dropped. */
  readonly fieldManager: string;
  readonly informers: readonly InformerOptions<never>[];
  /** Told when a watch or list fails, and when it is well again. */
  readonly onHealth?: (health: InformerHealth) => void;
}

/** How one informer is doing; `readyz` and the log are made of these. */
export type InformerHealth =
  | { readonly type: ResourceType; readonly namespace?: string; readonly state: "starting" | "alive" }
  | { readonly type: ResourceType; readonly namespace?: string; readonly state: "failing"; readonly error: Error; readonly sinceMs: number };

export type EventListener<T extends KubeObject> = (event: ObjectEvent<T>, details: { readonly initial: boolean }) => void;

export interface CacheListOptions {
  readonly namespace?: string;
  readonly labels?: Labels;
  /** Only those whose controller has this UID: an indexed look-up. */
  readonly controller?: string;
}

/** Reads memory, never the network; what this process wrote is already in it. */
export interface CacheReader<Cached extends KubeObject = KubeObject> {
  get<T extends Cached>(type: ResourceType<T>, key: ObjectKey): T | undefined;
  list<T extends Cached>(type: ResourceType<T>, options?: CacheListOptions): readonly T[];
}

/** All informers of a process: one for each kind. */
export interface Cache {
  readonly reader: CacheReader;
  readonly memory: ObjectMemory;
  /** Listeners are called in the order of events, never inside another's call; added before `run`. */
  onEvent<T extends KubeObject>(type: ResourceType<T>, listener: EventListener<T>): void;
  /** Lists and watches until the signal aborts; never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves once each of these kinds has been listed and its listeners have been told of all it holds. */
  whenSynced(types: readonly ResourceType[], signal: AbortSignal): Promise<void>;
  health(): readonly InformerHealth[];
}
export declare function createCache(options: CacheOptions): Cache;
