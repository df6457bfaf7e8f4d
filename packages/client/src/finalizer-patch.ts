import type { KubeObject } from "@trimtab/apimachinery";
import type { JsonPatch } from "./client.ts";

/** Answered by a conflict if the object has changed since it was read; a namesake made since has another version too. */
export function finalizerAddition({ metadata }: KubeObject, finalizer: string): JsonPatch {
  return [
    { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
    metadata.finalizers === undefined
      ? { op: "add", path: "/metadata/finalizers", value: [finalizer] }
      : { op: "add", path: "/metadata/finalizers/-", value: finalizer },
  ];
}

/**
 * Takes off this finalizer and no other, whatever else was written meanwhile; answered by a 422 where it is no longer at
 * its place. `undefined` if the object does not hold it.
 */
export function finalizerRemoval({ metadata }: KubeObject, finalizer: string): JsonPatch | undefined {
  const index = metadata.finalizers?.indexOf(finalizer) ?? -1;
  if (index === -1) return undefined;
  const path = `/metadata/finalizers/${index}`;
  return [
    { op: "test", path: "/metadata/uid", value: metadata.uid },
    { op: "test", path, value: finalizer },
    { op: "remove", path },
  ];
}
