import {
  controllerOf,
  type KubeObject,
  keyOf,
  type ObjectKey,
  type ResourceType,
  refersTo,
} from "@trimtab/apimachinery";
import type { CacheReader, ObjectEvent } from "@trimtab/cache";

/**
 * The objects to reconcile because of an event.
 *
 * An update concerns those that depended on the object as it was, as well as those that depend on it now.
 * Called synchronously, for each event of a kind in order: no I/O, nothing slow. `cache` may still be
 * filling while the initial lists come in; that loses nothing, since each object's own arrival makes it
 * be reconciled once everything is there.
 */
export type EventHandler<T extends KubeObject, Cached extends KubeObject = never> = (
  event: ObjectEvent<T>,
  cache: CacheReader<Cached>,
) => Iterable<ObjectKey>;

/** Reconciles the object that the event is about. */
export const enqueueSelf: EventHandler<KubeObject> = ({ object }) => [keyOf(object)];

/** Reconciles the object of type `owner` that controls, or controlled, the one the event is about. */
export function enqueueOwner(owner: ResourceType): EventHandler<KubeObject> {
  return (event) => {
    const now = ownerOf(event.object, owner);
    const before = event.type === "updated" ? ownerOf(event.previous, owner) : undefined;
    return [now, before?.name === now?.name ? undefined : before].filter((key) => key !== undefined);
  };
}

/** Reconciles whatever `map` finds to depend on the object, as it is and, after an update, as it was. */
export function enqueueRequests<T extends KubeObject, Cached extends KubeObject = never>(
  map: (object: T, cache: CacheReader<Cached>) => Iterable<ObjectKey>,
): EventHandler<T, Cached> {
  return (event, cache) =>
    event.type === "updated" ? [...map(event.object, cache), ...map(event.previous, cache)] : map(event.object, cache);
}

function ownerOf(object: KubeObject, type: ResourceType): ObjectKey | undefined {
  const reference = controllerOf(object);
  if (reference === undefined || !refersTo(reference, type)) return undefined;
  const { namespace } = object.metadata;
  // An owner lives in its child's namespace, or in none.
  return type.scope === "Cluster" || namespace === undefined
    ? { name: reference.name }
    : { namespace, name: reference.name };
}
