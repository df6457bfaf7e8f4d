import {
  compareResourceVersions,
  type KubeObject,
  type LabelSelector,
  matchesSelector,
  type ObjectKey,
  type ResourceType,
} from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";
import { type EventDetails, type EventListener, EventListeners } from "./event-listeners.ts";
import { FirstLists } from "./first-lists.ts";
import { eventsBetween, type ObjectEvent } from "./object-event.ts";
import { OwnWrites } from "./own-writes.ts";
import type { Pace } from "./pace.ts";
import { copyToPrepare, prepareBy } from "./prepare.ts";
import { Reflector } from "./reflector.ts";
import { type CacheListOptions, Store } from "./store.ts";
import { type InformerHealth, StreamHealth } from "./stream-health.ts";

/** What an informer is to hold of a kind. */
export interface InformerOptions<T extends KubeObject = KubeObject> {
  readonly type: ResourceType<T>;
  /** @default all: one watch for each otherwise; of no meaning to a cluster-scoped kind */
  readonly namespaces?: readonly string[];
  /** @default every object */
  readonly labelSelector?: LabelSelector;
  /** @default every object */
  readonly fieldSelector?: string;
  /** Cuts an object down before it is stored, in place or as another; must keep its metadata. @default the identity */
  readonly transform?: (object: T) => T;
}

/** What an informer needs of the cache it is part of. */
export interface InformerRuntime {
  readonly client: Pick<Client, "list" | "watch">;
  readonly fieldManager: string;
  readonly freeze: boolean;
  readonly onHealth: (health: InformerHealth) => void;
  readonly onListenerError: (error: Error) => void;
  readonly pace?: Pace;
}

/** The watch of one namespace, or of all, and how far it has come. */
interface Stream<T extends KubeObject> {
  readonly namespace: string | undefined;
  readonly health: StreamHealth;
  readonly reflector: Reflector<T>;
}

/**
 * Holds all objects of one kind, or those of a selection, and tells listeners what happens to them.
 *
 * - Listeners are told each object's states in order, an update with the state they were told before.
 * - A listener that reads sees the state that it is told of, or a newer one.
 */
export class Informer<T extends KubeObject> {
  readonly #options: InformerOptions<T>;
  readonly #runtime: InformerRuntime;
  readonly #prepare: (object: T) => T;
  readonly #store = new Store<T>();
  readonly #own = new OwnWrites<T>(this.#store);
  readonly #listeners: EventListeners<T>;
  /** By namespace; the one of all namespaces by "". */
  readonly #streams: ReadonlyMap<string, Stream<T>>;
  readonly #firstLists = new FirstLists();

  constructor(options: InformerOptions<T>, runtime: InformerRuntime) {
    this.#options = options;
    this.#runtime = runtime;
    this.#prepare = prepareBy({ ...options, ...runtime });
    this.#listeners = new EventListeners(options.type, runtime.onListenerError);
    this.#streams = new Map(namespacesOf(options).map((namespace) => [namespace ?? "", this.#stream(namespace)]));
  }

  /** Resolves once all that exists has been listed and listeners have been told of it, but for what is forbidden. */
  get synced(): Promise<void> {
    return this.#firstLists.synced;
  }

  /** Listeners must be added before the informer runs. */
  onEvent(listener: EventListener<T>): void {
    this.#listeners.add(listener);
  }

  /** Lists and watches until the signal aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from(this.#streams.values(), ({ reflector }) => reflector.run(signal)));
  }

  health(): readonly InformerHealth[] {
    return Array.from(this.#streams.values(), ({ health }) => health.report());
  }

  /** Whether it watches this namespace, or all of them if none is named. */
  watches(namespace: string | undefined): boolean {
    return this.#streamOf(namespace) !== undefined;
  }

  /** As `CacheReader.forbidden`. */
  forbidden(namespace: string | undefined): Error | undefined {
    return this.#firstLists.forbidden(this.#streamOf(namespace)?.namespace ?? "");
  }

  /** @throws {Error} if that namespace is not watched, or forbidden */
  get(key: ObjectKey): T | undefined {
    this.#mustWatch(key.namespace);
    return this.#store.get(key.namespace, key.name);
  }

  /** In no certain order. @throws {Error} if that namespace is not watched, or forbidden */
  list(options: CacheListOptions): readonly T[] {
    if (options.namespace !== undefined) this.#mustWatch(options.namespace);
    return this.#store.list(options);
  }

  /** As `ObjectMemory.recall`; `"absent"` also of an object that is there, but not of the selection. */
  recall(key: ObjectKey): T | "absent" | undefined {
    const stream = this.#streamOf(key.namespace);
    if (stream === undefined) return undefined;
    const object = this.#store.get(key.namespace, key.name);
    if (object === undefined) return this.#isListed(stream) ? "absent" : undefined;
    // Of an object that was cut down it is not known what else it holds.
    return this.#options.transform === undefined ? object : undefined;
  }

  /** As `ObjectMemory.wrote`. */
  wrote(object: T): void {
    const stream = this.#streamOf(object.metadata.namespace);
    if (stream === undefined) return;
    const held = this.#prepare(copyToPrepare(object, this.#options));
    this.#own.wrote(held, stream.reflector.version, this.#selects(object));
  }

  /** As `ObjectMemory.deleted`. */
  deleted(key: ObjectKey, uid: string): void {
    if (this.watches(key.namespace)) this.#own.deleted(key, uid);
  }

  #streamOf(namespace = ""): Stream<T> | undefined {
    return this.#streams.get("") ?? this.#streams.get(namespace);
  }

  #mustWatch(namespace: string | undefined): void {
    const cause = this.forbidden(namespace);
    if (cause === undefined && this.watches(namespace)) return;
    const { kind } = this.#options.type;
    if (cause !== undefined) throw new Error(`${kind} objects of namespace ${namespace} cannot be seen`, { cause });
    const watched = Array.from(this.#streams.keys()).join(", ");
    throw new Error(
      `${kind} objects are watched in ${watched} only: add namespace ${namespace} to those of the manager`,
    );
  }

  #isListed({ namespace = "" }: Stream<T>): boolean {
    return this.#firstLists.has(namespace);
  }

  #selects(object: T): boolean {
    const { labelSelector, fieldSelector } = this.#options;
    if (labelSelector !== undefined && !matchesSelector(object.metadata.labels, labelSelector)) return false;
    // What a field selector selects only the server knows: what was selected is taken to be so still.
    return fieldSelector === undefined || this.#own.told(object)?.metadata.uid === object.metadata.uid;
  }

  #stream(namespace: string | undefined): Stream<T> {
    const { type, labelSelector, fieldSelector } = this.#options;
    const { client, pace, onHealth } = this.#runtime;
    const scope = namespace === undefined ? { type } : { type, namespace };
    const health = new StreamHealth({
      ...scope,
      onChange: (report) => {
        onHealth(report);
        this.#firstLists.settle();
      },
    });
    this.#firstLists.expect(namespace ?? "", health);
    const reflector = new Reflector<T>({
      ...scope,
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
      ...(pace !== undefined && { pace }),
      client,
      health,
      prepare: this.#prepare,
      target: {
        replace: (objects, version) => this.#replace(namespace, objects, version),
        saw: (type, object) => (type === "DELETED" ? this.#lost(object) : this.#saw(object)),
        reached: (version) => this.#tell(this.#own.settle(namespace, version)),
      },
    });
    return { namespace, health, reflector };
  }

  #saw(object: T): void {
    const previous = this.#own.told(object);
    if (previous !== undefined && isReplay(object, previous)) return;
    this.#own.show(object);
    this.#tell(eventsBetween(previous, object));
  }

  #lost(object: T): void {
    const previous = this.#own.told(object);
    this.#own.lose(object, object.metadata.resourceVersion);
    // The deletion of a predecessor leaves the object that bears its name now.
    if (previous?.metadata.uid === object.metadata.uid) this.#tell([{ type: "deleted", object }]);
  }

  /** Changes all of the store before the first listener is told, so that none reads half of a list. */
  #replace(namespace: string | undefined, objects: Iterable<T>, version: string): void {
    const events: ObjectEvent<T>[] = [];
    const missing = new Set(this.#own.toldOf(namespace));
    for (const object of objects) {
      const previous = this.#own.told(object);
      if (previous !== undefined) missing.delete(previous);
      if (previous !== undefined && isSame(previous, object)) continue;
      this.#own.show(object);
      events.push(...eventsBetween(previous, object));
    }
    for (const object of missing) {
      this.#own.lose(object, version);
      events.push({ type: "deleted", object });
    }
    events.push(...this.#own.settle(namespace, version));
    this.#tell(events, { initial: this.#firstLists.add(namespace ?? "") });
    this.#firstLists.settle();
  }

  #tell(events: readonly ObjectEvent<T>[], details: EventDetails = { initial: false }): void {
    this.#listeners.tell(events, details);
  }
}

function namespacesOf<T extends KubeObject>({ type, namespaces }: InformerOptions<T>): readonly (string | undefined)[] {
  if (namespaces === undefined || type.scope === "Cluster") return [undefined];
  if (namespaces.length > 0) return [...new Set(namespaces)];
  throw new Error(`no namespace to watch ${type.plural} in: name one, or leave \`namespaces\` out for all`);
}

function isSame({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  return a.uid === b.uid && a.resourceVersion === b.resourceVersion;
}

/** Whether a watch shows again what it has shown, or something older. */
function isReplay({ metadata: object }: KubeObject, { metadata: previous }: KubeObject): boolean {
  if (object.uid !== previous.uid) return false;
  return (compareResourceVersions(object.resourceVersion, previous.resourceVersion) ?? 1) <= 0;
}
