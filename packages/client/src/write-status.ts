import { isCustom, type KubeObject, type ResourceType } from "@trimtab/apimachinery";
import type { ResourceRequests } from "./resource-requests.ts";

/**
 * Makes the status of the object with this UID be the one given, whole, unless it has changed since it was read: then
 * the answer is a conflict, so that what other managers report of it survives.
 *
 * A PUT, which costs the API server a third less than any patch. Of a custom resource's it takes the status alone; of
 * built-in kinds' it takes some metadata too, so those are patched.
 */
export function writeStatus<T extends KubeObject & { readonly status?: unknown }>(
  requests: ResourceRequests,
  type: ResourceType<T>,
  { metadata: { name, namespace, uid, resourceVersion }, status }: T,
  signal: AbortSignal | undefined,
): Promise<T> {
  const key = namespace === undefined ? { name } : { namespace, name };
  if (statusVerb(type) === "update") {
    const object = { metadata: { ...key, uid, resourceVersion }, status };
    return requests.update(type, object, { subresource: "status", signal });
  }
  return requests.patch(type, key, {
    format: "json-patch+json",
    subresource: "status",
    body: [
      { op: "replace", path: "/metadata/resourceVersion", value: resourceVersion },
      { op: "add", path: "/status", value: status },
    ],
    signal,
  });
}

/** What RBAC calls the write of a status. */
export function statusVerb(type: Pick<ResourceType, "group">): "update" | "patch" {
  return isCustom(type) ? "update" : "patch";
}
