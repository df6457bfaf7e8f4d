import type { KubeObject } from "@trimtab/apimachinery";
import type { ObjectEvent } from "@trimtab/cache";

/** Whether an event is worth a reconcile. */
export type Predicate<T extends KubeObject = KubeObject> = (event: ObjectEvent<T>) => boolean;

/** Holds for an update only if what `property` picks out is no longer the same. */
export function changed<T extends KubeObject>(property: (object: T) => unknown): Predicate<T> {
  return (event) => {
    if (event.type !== "updated") return true;
    const [now, before] = [property(event.object), property(event.previous)];
    return now !== before && JSON.stringify(now) !== JSON.stringify(before);
  };
}

/**
 * Holds for an update only if it did more than write the status.
 *
 * Passes whatever changes the generation, and what does not but asks for a reconcile all the same: labels,
 * annotations, finalizers, owner references, the begin of a deletion, another object under the same name. Kinds
 * that count no generations (Secret, ConfigMap, Node, …) pass whole.
 *
 * Not for kinds whose status is read: the readiness of a Pod or Deployment is status.
 */
export const specChanged: Predicate = or(
  ({ object }) => (object.metadata.generation ?? 0) === 0,
  changed(({ metadata }) => metadata.generation),
  changed(({ metadata }) => metadata.uid),
  changed(({ metadata }) => metadata.deletionTimestamp),
  changed(({ metadata }) => metadata.finalizers),
  changed(({ metadata }) => metadata.labels),
  changed(({ metadata }) => metadata.annotations),
  changed(({ metadata }) => metadata.ownerReferences),
);

export const labelsChanged: Predicate = changed(({ metadata }) => metadata.labels);
export const annotationsChanged: Predicate = changed(({ metadata }) => metadata.annotations);

export function and<T extends KubeObject>(...predicates: Predicate<T>[]): Predicate<T> {
  return (event) => predicates.every((predicate) => predicate(event));
}

export function or<T extends KubeObject>(...predicates: Predicate<T>[]): Predicate<T> {
  return (event) => predicates.some((predicate) => predicate(event));
}

export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return (event) => !predicate(event);
}
