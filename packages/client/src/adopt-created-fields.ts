import { type KubeObject, keyOf, type ResourceType } from "@trimtab/apimachinery";
import { isApiError } from "./api-error.ts";
import type { JsonPatch } from "./client.ts";
import { isOf } from "./field-ownership.ts";
import type { ResourceRequests } from "./resource-requests.ts";

/** Controllers that write an object's status just then are many, and soon done. */
const maxAttempts = 5;

/**
 * Makes what our manager owns by creating or updating an object its own by server-side apply, so that the next apply
 * lets go of what it does not name (as client-go's `csaupgrade` does).
 *
 * @throws ApiError Conflict if the object is written again and again meanwhile
 */
export async function adoptCreatedFields<T extends KubeObject>(
  requests: ResourceRequests,
  type: ResourceType<T>,
  object: T,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    // The object at hand may hold the entries of its own manager only, so the others must be read.
    const live = await requests.get(type, keyOf(object), signal);
    try {
      return await requests.patch<T>(type, keyOf(object), {
        format: "json-patch+json",
        body: adoption(live, requests.fieldManager),
        signal,
      });
    } catch (error) {
      if (!isApiError(error, "Conflict") || attempt === maxAttempts) throw error;
    }
  }
}

function adoption({ metadata }: KubeObject, manager: string): JsonPatch {
  const entries = metadata.managedFields ?? [];
  const isApplied = entries.some((entry) => isOf(entry, manager) && entry.operation === "Apply");
  const adopted = entries.flatMap((entry) => {
    if (!isOf(entry, manager) || entry.operation !== "Update") return [entry];
    return isApplied ? [] : [{ ...entry, operation: "Apply" as const }];
  });
  return [
    { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
    { op: "replace", path: "/metadata/managedFields", value: adopted },
  ];
}
