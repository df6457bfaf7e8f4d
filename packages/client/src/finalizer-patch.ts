import type { KubeObject } from "@trimtab/apimachinery";
import type { JsonPatch } from "./client.ts";

/** Fails with a conflict if the object has changed since it was read. */
export function finalizerAddition({ metadata }: KubeObject, finalizer: string): JsonPatch {
  return [
    { op: "test", path: "/metadata/uid", value: metadata.uid },
    { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
    metadata.finalizers === undefined
      ? { op: "add", path: "/metadata/finalizers", value: [finalizer] }
      : { op: "add", path: "/metadata/finalizers/-", value: finalizer },
  ];
}

/** Takes off this finalizer and no other; `undefined` if the object does not hold it. */
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
