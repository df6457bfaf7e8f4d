import type { KubeObject, ResourceType } from "@trimtab/apimachinery";
import type { ReconcileContext } from "@trimtab/controller";

/** Whether the operator looks after a namespace and may see it, or after all of them if none is named. */
export function isWithinReach<T extends KubeObject>(
  cache: ReconcileContext<T>["cache"],
  type: ResourceType<T>,
  namespace?: string,
): boolean {
  if (!cache.watches(type, namespace)) return false;
  return namespace === undefined || cache.forbidden(type, namespace) === undefined;
}
