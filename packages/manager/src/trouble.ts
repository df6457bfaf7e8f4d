import type { ResourceType } from "@trimtab/apimachinery";
import type { InformerHealth } from "@trimtab/cache";
import { isApiError } from "@trimtab/client";
import { missingRule } from "@trimtab/controller";

/** `plural.group`, the name of its CustomResourceDefinition. */
export function resourceName({ plural, group }: ResourceType): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** Why a kind cannot be listed or watched, and what to do. */
export function troubleOf(type: ResourceType, error: Error): string {
  if (isApiError(error, "NotFound"))
    return `the API server does not know ${resourceName(type)}: install the CustomResourceDefinition, kubectl apply --server-side -f config/crd/bases`;
  return missingRule(error) ?? `cannot watch ${resourceName(type)}: ${error.message}`;
}

/** A watch that says nothing, not even a bookmark, for this long has not healed itself as it should have. */
const wedgedWatchMs = 180_000;
/** No reconcile takes as long as this and is well. */
export const wedgedWorkerMs = 600_000;

export function isWedged(health: InformerHealth): boolean {
  return health.state === "alive" && health.silentMs > wedgedWatchMs;
}
