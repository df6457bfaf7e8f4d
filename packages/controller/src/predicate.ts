import type { KubeObject } from "@trimtab/apimachinery";
import type { ObjectEvent } from "@trimtab/cache";

/** Whether an event is worth a reconcile. */
export type Predicate<T extends KubeObject = KubeObject> = (event: ObjectEvent<T>) => boolean;

/** Holds for an update only if what `property` picks out is no longer the same. */
export function changed<T extends KubeObject>(property: (object: T) => unknown): Predicate<T> {
  return (event) =>
    event.type !== "updated" ||
    JSON.stringify(property(event.object)) !== JSON.stringify(property(event.previous));
}

/** Some built-in kinds carry no generation; their updates all count as changes. */
export const generationChanged: Predicate = or(
  changed(({ metadata }) => metadata.generation),
  ({ object }) => object.metadata.generation === undefined,
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
