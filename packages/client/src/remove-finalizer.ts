import { type KubeObject, keyOf, type ResourceType } from "@trimtab/apimachinery";
import { ignoreNotFound, isApiError } from "./api-error.ts";
import { finalizerRemoval } from "./finalizer-patch.ts";
import type { ResourceRequests } from "./resource-requests.ts";

const maxAttempts = 3;

export interface FinalizerRemoval<T extends KubeObject> {
  readonly object: T;
  readonly finalizer: string;
  readonly signal: AbortSignal | undefined;
}

/** Takes the finalizer off. @returns the object as written; `undefined` if it is gone, or no longer held it */
export async function removeFinalizer<T extends KubeObject>(
  requests: ResourceRequests,
  type: ResourceType<T>,
  { object, finalizer, signal }: FinalizerRemoval<T>,
): Promise<T | undefined> {
  let current: T | undefined = object;
  for (let attempt = 1; current?.metadata.uid === object.metadata.uid; attempt += 1) {
    const body = finalizerRemoval(current, finalizer);
    if (body === undefined) return undefined;
    try {
      // Sent twice, its own test finds the finalizer off.
      return await requests.patch<T>(type, keyOf(object), {
        format: "json-patch+json",
        body,
        isRepeatable: true,
        signal,
      });
    } catch (error) {
      if (isApiError(error, "NotFound")) return undefined;
      // A failed `test` is a 422, as is the finalizer that somebody else has moved meanwhile.
      if (!isApiError(error, "Invalid", "Conflict") || attempt === maxAttempts) throw error;
      current = await ignoreNotFound(requests.get(type, keyOf(object), signal));
    }
  }
  return undefined;
}
