import { type KubeObject, keyOf, type ResourceType } from "@trimtab/apimachinery";
import { isOf } from "./field-ownership.ts";
import type { ResourceRequests } from "./resource-requests.ts";

/**
 * Makes what our manager owns by creating or updating an object its own by server-side apply, so that the next apply
 * lets go of what it does not name (as client-go's `csaupgrade` does).
 *
 * @throws ApiError Conflict if the object is written meanwhile
 */
export async function adoptCreatedFields<T extends KubeObject>(
  requests: ResourceRequests,
  type: ResourceType<T>,
  object: T,
  signal: AbortSignal | undefined,
): Promise<T> {
  const { fieldManager } = requests;
  // The object at hand may hold the entries of its own manager only, so the others must be read.
  const { metadata } = await requests.get(type, keyOf(object), signal);
  const entries = metadata.managedFields ?? [];
  const isApplied = entries.some((entry) => isOf(entry, fieldManager) && entry.operation === "Apply");
  const adopted = entries.flatMap((entry) => {
    if (!isOf(entry, fieldManager) || entry.operation !== "Update") return [entry];
    return isApplied ? [] : [{ ...entry, operation: "Apply" as const }];
  });
  return requests.patch<T>(type, keyOf(object), {
    format: "json-patch+json",
    body: [
      { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
      { op: "replace", path: "/metadata/managedFields", value: adopted },
    ],
    signal,
  });
}
