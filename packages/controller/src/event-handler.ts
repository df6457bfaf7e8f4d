import { controllerOf, keyOf, refersTo, type KubeObject, type ObjectKey, type ResourceType } from "@trimtab/apimachinery";
import type { ObjectEvent } from "@trimtab/cache";

/** The objects to reconcile because of an event. */
export type EventHandler<T extends KubeObject> = (event: ObjectEvent<T>) => Iterable<ObjectKey>;

/** Reconciles the object that the event is about. */
export const enqueueSelf: EventHandler<KubeObject> = ({ object }) => [keyOf(object)];

/** Reconciles the object of type `owner` that controls the one the event is about. */
export function enqueueOwner(owner: ResourceType): EventHandler<KubeObject> {
  return ({ object }) => {
    const reference = controllerOf(object);
    if (reference === undefined || !refersTo(reference, owner)) return [];
    const { namespace } = object.metadata;
    return [owner.scope === "Cluster" || namespace === undefined
      ? { name: reference.name }
      : { namespace, name: reference.name }];
  };
}

/** Reconciles whatever `map` finds to depend on the object. */
export function enqueueRequests<T extends KubeObject>(map: (object: T) => Iterable<ObjectKey>): EventHandler<T> {
  return (event) => map(event.object);
}
