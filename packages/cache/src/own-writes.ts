import { compareResourceVersions, formatKey, type KubeObject, keyOf, type ObjectKey } from "@trimtab/apimachinery";
import type { ObjectEvent } from "./object-event.ts";
import type { Store } from "./store.ts";

/** A name under which reads see something else than the watch has shown. */
interface Pending<T extends KubeObject> {
  readonly key: ObjectKey;
  /** What the watch last showed there, and so what listeners were last told. */
  told: T | undefined;
  /** Of the object that was written or deleted. */
  readonly uid: string;
  /** The watch has caught up when it passes this; "" if unknown. */
  readonly version: string;
  readonly deleted: boolean;
  readonly sinceMs: number;
}

/**
 * A deletion hides an object no longer than this and until the next sign of life of the watch, so
 * that one which the server kept after all, against its answer, comes back to sight.
 */
const longestHiddenMs = 30_000;

/**
 * A live watch that has not passed a write after this long never will: etcd was restored to an older
 * state. Longer than any lag of a healthy API server, or a read would go back in time.
 */
const longestAheadMs = 300_000;

/**
 * Lets reads see this process' own writes before the watch does (the aim of KEP-5647, without waiting).
 *
 * A write goes into the store when it is answered; what the watch had shown under that name is kept
 * beside it. From then on events that are older than the write change only what was kept, until an
 * event, bookmark or list passes its resourceVersion: then the store holds what the watch shows again.
 *
 * - A read is never older than a write that was answered before it.
 * - A deleted object does not come back to sight, by UID; a namesake made later does.
 * - A write that the watch has passed already is not taken: the store is as new, or newer.
 */
export class OwnWrites<T extends KubeObject> {
  readonly #store: Store<T>;
  readonly #now: () => number;
  readonly #pending = new Map<string, Pending<T>>();

  constructor(store: Store<T>, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
  }

  /** What the watch has shown under the name of this object. */
  told({ metadata: { namespace, name } }: KubeObject): T | undefined {
    const pending = this.#pendingAt(namespace, name);
    return pending === undefined ? this.#store.get(namespace, name) : pending.told;
  }

  /** All that the watch has shown, or of one namespace. */
  *toldOf(namespace: string | undefined): Generator<T> {
    for (const object of this.#store.values(namespace)) {
      if (this.#pendingAt(object.metadata.namespace, object.metadata.name) === undefined) yield object;
    }
    for (const { key, told } of this.#pending.values()) {
      if (told !== undefined && (namespace === undefined || key.namespace === namespace)) yield told;
    }
  }

  /** Whether this name was deleted by this process, and the watch has yet to show it. */
  hides({ namespace, name }: ObjectKey): boolean {
    return this.#pendingAt(namespace, name)?.deleted === true;
  }

  /** The watch shows this object. */
  show(object: T): void {
    const { namespace, name, uid, resourceVersion } = object.metadata;
    const pending = this.#pendingAt(namespace, name);
    if (pending !== undefined) {
      const isTheDeleted = pending.deleted && uid === pending.uid;
      if (isTheDeleted || !passes(resourceVersion, pending.version)) {
        pending.told = object;
        return;
      }
      this.#forget(pending);
    }
    this.#store.set(object);
  }

  /** The watch shows that this object is gone, as of a resourceVersion. */
  lose(object: KubeObject, version: string): void {
    const { namespace, name, uid } = object.metadata;
    const pending = this.#pendingAt(namespace, name);
    if (pending !== undefined) {
      const caughtUp = pending.deleted ? uid === pending.uid : passes(version, pending.version);
      if (!caughtUp) {
        if (pending.told?.metadata.uid === uid) pending.told = undefined;
        return;
      }
      this.#forget(pending);
    }
    this.#store.delete(namespace, name);
  }

  /**
   * A write was answered with this object.
   *
   * @param seen the resourceVersion that the watch has come to, "" before it has begun
   * @param selected whether the watch will show the object as it now is
   */
  wrote(object: T, seen: string, selected: boolean): void {
    const { namespace, name, uid, resourceVersion } = object.metadata;
    if (isGone(object)) {
      this.deleted(keyOf(object), uid);
      return;
    }
    if (!isAhead(resourceVersion, seen)) return;
    const pending = this.#pendingAt(namespace, name);
    if (pending !== undefined && overtakes(pending, object)) return;
    const told = this.told(object);
    if (!selected && told === undefined && pending === undefined) return;
    this.#add({ key: keyOf(object), told, uid, version: resourceVersion, deleted: false, sinceMs: this.#now() });
    if (selected) this.#store.set(object);
    else this.#store.delete(namespace, name);
  }

  /** A deletion was answered: the object with this UID is gone. */
  deleted(key: ObjectKey, uid: string): void {
    const { namespace, name } = key;
    const shown = this.#store.get(namespace, name);
    if (shown !== undefined && shown.metadata.uid !== uid) return;
    const pending = this.#pendingAt(namespace, name);
    const told = pending === undefined ? shown : pending.told;
    const version = pending?.version ?? shown?.metadata.resourceVersion ?? "";
    this.#add({ key, told, uid, version, deleted: true, sinceMs: this.#now() });
    this.#store.delete(namespace, name);
  }

  /**
   * The watch of a namespace, or of all, has come to this resourceVersion and is alive. What it has
   * passed, or never will, is shown as it is again: so are those events that no watch will send.
   */
  settle(namespace: string | undefined, seen: string): readonly ObjectEvent<T>[] {
    const events: ObjectEvent<T>[] = [];
    if (this.#pending.size === 0) return events;
    const now = this.#now();
    for (const pending of this.#pending.values()) {
      if (namespace !== undefined && pending.key.namespace !== namespace) continue;
      const pendingMs = now - pending.sinceMs;
      const over = pending.deleted
        ? pendingMs > longestHiddenMs
        : passes(seen, pending.version) || pendingMs > longestAheadMs;
      if (over) events.push(...this.#reveal(pending));
    }
    return events;
  }

  #pendingAt(namespace: string | undefined, name: string): Pending<T> | undefined {
    if (this.#pending.size === 0) return undefined;
    return this.#pending.get(namespace === undefined ? name : `${namespace}/${name}`);
  }

  #add(pending: Pending<T>): void {
    this.#pending.set(formatKey(pending.key), pending);
  }

  #forget(pending: Pending<T>): void {
    this.#pending.delete(formatKey(pending.key));
  }

  #reveal(pending: Pending<T>): ObjectEvent<T>[] {
    const { told } = pending;
    const { namespace, name } = pending.key;
    const shown = this.#store.get(namespace, name);
    this.#forget(pending);
    if (told !== undefined) {
      this.#store.set(told);
      return [{ type: "updated", object: told, previous: told }];
    }
    this.#store.delete(namespace, name);
    return shown === undefined ? [] : [{ type: "deleted", object: shown }];
  }
}

/** Whether a write took the object's last finalizer, and the object with it (`ShouldDeleteDuringUpdate`, upstream's store.go). */
function isGone({ metadata }: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = metadata;
  return deletionTimestamp !== undefined && finalizers.length === 0 && deletionGracePeriodSeconds === 0;
}

/** Whether a watch that has come to `seen` has passed `version`; what cannot be compared holds nothing up. */
function passes(seen: string, version: string): boolean {
  return (compareResourceVersions(seen, version) ?? 0) >= 0;
}

/** Whether the watch has yet to come to this version; of one that cannot be compared that is never known. */
function isAhead(version: string, seen: string): boolean {
  if (seen === "") return compareResourceVersions(version, version) !== undefined;
  return (compareResourceVersions(version, seen) ?? 0) > 0;
}

/** Whether the answer to a later write came before the one that is answered with `object`. */
function overtakes(pending: Pending<KubeObject>, { metadata: { uid, resourceVersion } }: KubeObject): boolean {
  if (pending.deleted && pending.uid === uid) return true;
  return (compareResourceVersions(resourceVersion, pending.version) ?? 1) <= 0;
}
