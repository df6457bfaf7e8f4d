import { compareResourceVersions, formatKey, type KubeObject, keyOf, type ObjectKey } from "@trimtab/apimachinery";
import type { ObjectEvent } from "./object-event.ts";
import type { Store } from "./store.ts";

/** A write that the watch has yet to catch up with. */
interface Written<T extends KubeObject> {
  /** `undefined` if it was taken out of what is watched, or deleted, since. */
  readonly object: T | undefined;
  readonly uid: string;
  /** The watch has caught up when it passes this. */
  readonly version: string;
  readonly sinceMs: number;
}

/** A name under which reads see something else than the watch has shown. */
interface Difference<T extends KubeObject> {
  readonly key: ObjectKey;
  /** What the watch last showed there, and so what listeners were last told. */
  told: T | undefined;
  written: Written<T> | undefined;
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
  /** By name. Each has a write, or what it was told of is deleted. */
  readonly #differences = new Map<string, Difference<T>>();
  /** UID of what was deleted → when; not forgotten when the watch shows it, which also means that it left the selection. */
  readonly #deleted = new Map<string, number>();

  constructor(store: Store<T>, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
  }

  /** What the watch has shown under the name of this object. */
  told({ metadata: { namespace, name } }: KubeObject): T | undefined {
    const difference = this.#differenceAt(namespace, name);
    return difference === undefined ? this.#store.get(namespace, name) : difference.told;
  }

  /** All that the watch has shown, or of one namespace. */
  *toldOf(namespace: string | undefined): Generator<T> {
    for (const object of this.#store.values(namespace)) {
      if (this.#differenceAt(object.metadata.namespace, object.metadata.name) === undefined) yield object;
    }
    for (const { key, told } of this.#differences.values()) {
      if (told !== undefined && (namespace === undefined || key.namespace === namespace)) yield told;
    }
  }

  /** The watch shows this object. */
  show(object: T): void {
    const { namespace, name, uid, resourceVersion } = object.metadata;
    const difference = this.#differenceAt(namespace, name);
    if (difference === undefined && !this.#deleted.has(uid)) {
      this.#store.set(object);
      return;
    }
    this.#put({
      key: keyOf(object),
      told: object,
      written: leftOf(difference?.written, resourceVersion),
    });
  }

  /** The watch shows that this object is gone, as of a resourceVersion. */
  lose(object: KubeObject, version: string): void {
    const { namespace, name, uid } = object.metadata;
    const difference = this.#differenceAt(namespace, name);
    const told = this.told(object);
    this.#put({
      key: keyOf(object),
      told: told?.metadata.uid === uid ? undefined : told,
      written: leftOf(difference?.written, version),
    });
  }

  /**
   * A write was answered with this object.
   *
   * @param seen the resourceVersion that the watch has come to, "" before it has begun
   * @param selected whether the watch will show the object as it now is
   */
  wrote(object: T, seen: string, selected: boolean): void {
    const { namespace, name, uid, resourceVersion: version } = object.metadata;
    if (isGone(object)) this.deleted(keyOf(object), uid);
    if (!isAhead(version, seen)) return;
    const later = this.#differenceAt(namespace, name)?.written;
    if (later !== undefined && !isAhead(version, later.version)) return;
    const told = this.told(object);
    const held = selected && !this.#deleted.has(uid) ? object : undefined;
    const written = { object: held, uid, version, sinceMs: this.#now() };
    this.#put({ key: keyOf(object), told, written });
  }

  /** A deletion was answered: the object with this UID is gone. */
  deleted(key: ObjectKey, uid: string): void {
    this.#deleted.set(uid, this.#now());
    const difference = this.#differenceAt(key.namespace, key.name);
    const told = difference === undefined ? this.#store.get(key.namespace, key.name) : difference.told;
    const written = difference?.written;
    // What the watch shows until it passes the write is older than what was deleted.
    this.#put({ key, told, written: written?.uid === uid ? { ...written, object: undefined } : written });
  }

  /**
   * The watch of a namespace, or of all, has come to this resourceVersion and is alive. What it has
   * passed, or never will, is shown as it is again: so are those events that no watch will send.
   */
  settle(namespace: string | undefined, seen: string): readonly ObjectEvent<T>[] {
    if (this.#differences.size === 0 && this.#deleted.size === 0) return [];
    const now = this.#now();
    for (const [uid, sinceMs] of this.#deleted) if (now - sinceMs > longestHiddenMs) this.#deleted.delete(uid);
    const events: ObjectEvent<T>[] = [];
    for (const difference of this.#differences.values()) {
      if (namespace !== undefined && difference.key.namespace !== namespace) continue;
      const written = leftOf(difference.written, seen);
      const isLost = written !== undefined && now - written.sinceMs > longestAheadMs;
      events.push(...this.#reveal({ ...difference, written: isLost ? undefined : written }));
    }
    return events;
  }

  #differenceAt(namespace: string | undefined, name: string): Difference<T> | undefined {
    if (this.#differences.size === 0) return undefined;
    return this.#differences.get(namespace === undefined ? name : `${namespace}/${name}`);
  }

  /** Makes reads see what they are to see under a name, and remembers whether that differs from what was told. */
  #put(difference: Difference<T>): void {
    const { key, told, written } = difference;
    const shown = written === undefined ? told : written.object;
    const isDeleted = shown !== undefined && this.#deleted.has(shown.metadata.uid);
    if (written === undefined && !isDeleted) this.#differences.delete(formatKey(key));
    else this.#differences.set(formatKey(key), difference);
    if (shown === undefined || isDeleted) this.#store.delete(key.namespace, key.name);
    else this.#store.set(shown);
  }

  /** Puts, and @returns the event that says how that changed what reads see. */
  #reveal(difference: Difference<T>): readonly ObjectEvent<T>[] {
    const { key, told } = difference;
    const before = this.#store.get(key.namespace, key.name);
    this.#put(difference);
    const after = this.#store.get(key.namespace, key.name);
    if (after === before) return [];
    if (after !== undefined) return [{ type: "updated", object: after, previous: told ?? after }];
    return before === undefined || told !== undefined ? [] : [{ type: "deleted", object: before }];
  }
}

/** Whether a write took the object's last finalizer, and the object with it (`ShouldDeleteDuringUpdate`, upstream's store.go). */
function isGone({ metadata }: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = metadata;
  return deletionTimestamp !== undefined && finalizers.length === 0 && deletionGracePeriodSeconds === 0;
}

/** What is left to wait for of a write when the watch has come to `seen`. */
function leftOf<T extends KubeObject>(written: Written<T> | undefined, seen: string): Written<T> | undefined {
  return written === undefined || !isAhead(written.version, seen) ? undefined : written;
}

/** Whether something that has come to `seen`, "" for nowhere, has yet to come to this version. */
function isAhead(version: string, seen: string): boolean {
  // Of versions that cannot be compared it would never be known; no write has the version 1.
  return (compareResourceVersions(version, seen === "" ? "1" : seen) ?? 0) > 0;
}
