import type { KubeObject, ManagedFieldsEntry } from "@trimtab/apimachinery";

export interface PrepareOptions<T extends KubeObject> {
  /** The manager whose managedFields entries are kept; those of all others are dropped. */
  readonly fieldManager: string;
  readonly transform?: (object: T) => T;
  /** Whether to make every part of the object immutable. */
  readonly freeze: boolean;
}

/** Makes what an informer keeps of an object that was read for it, and for nobody else, in place. */
export function prepareBy<T extends KubeObject>(options: PrepareOptions<T>): (object: T) => T {
  const { fieldManager, transform, freeze } = options;
  return (object) => {
    keepManagedFieldsOf(fieldManager, object.metadata);
    const prepared = transform === undefined ? object : transform(object);
    return freeze ? deepFreeze(prepared) : prepared;
  };
}

/** As much of a copy as `prepareBy` needs to leave the original as it is: all of it where a transform may change any part. */
export function copyToPrepare<T extends KubeObject>(object: T, { transform }: Pick<PrepareOptions<T>, "transform">): T {
  return transform === undefined ? { ...object, metadata: { ...object.metadata } } : structuredClone(object);
}

/** Assigns and never deletes a property, which would make V8 keep the object as a dictionary. */
function keepManagedFieldsOf(
  manager: string,
  metadata: { managedFields?: readonly ManagedFieldsEntry[] | undefined },
): void {
  const entries = metadata.managedFields;
  if (entries === undefined) return;
  const kept = entries.filter((entry) => entry.manager === manager);
  metadata.managedFields = kept.length === 0 ? undefined : kept;
}

function deepFreeze<V extends object>(value: V): V {
  for (const part of Object.values(value)) {
    if (typeof part === "object" && part !== null && !Object.isFrozen(part)) deepFreeze(part);
  }
  return Object.freeze(value);
}
