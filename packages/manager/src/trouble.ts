import { isCustom, type ResourceType } from "@trimtab/apimachinery";
import type { InformerHealth } from "@trimtab/cache";
import { isApiError, TransportError } from "@trimtab/client";
import { missingRule } from "@trimtab/controller";

/** `plural.group`, the name of its CustomResourceDefinition. */
export function resourceName({ plural, group }: ResourceType): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** Why a kind cannot be listed or watched, and what to do. */
export function troubleOf(type: ResourceType, error: Error): string {
  if (isApiError(error, "NotFound")) return notServed(type);
  if (isApiError(error, "Unauthorized")) return "the API server does not know who this is: renew the credentials";
  return missingRule(error) ?? `cannot watch ${resourceName(type)}: ${error.message}`;
}

function notServed(type: ResourceType): string {
  const name = resourceName(type);
  const missing = `the API server does not serve ${name} in version ${type.version}`;
  if (!isCustom(type)) return `${missing}: it is too old, or too new`;
  // Where kubebuilder and the generator write it.
  const file = `config/crd/bases/${type.group}_${type.plural}.yaml`;
  return `${missing}: install the CustomResourceDefinition ${name}, by kubectl apply --server-side -f ${file}`;
}

/** No answer came, and not because of who answers: the API server is away. */
export function isAway(error: Error): boolean {
  return error instanceof TransportError && !isUntrusted(error);
}

/** What only other credentials, or another certificate, can heal, and with them perhaps another start. */
export function isHopeless(error: Error): boolean {
  return isApiError(error, "Unauthorized") || isUntrusted(error);
}

/** Node's and OpenSSL's names for a certificate that is not to be trusted. */
function isUntrusted(error: Error): boolean {
  const { code } = (error.cause ?? {}) as { readonly code?: unknown };
  return typeof code === "string" && /^(CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
}

/** A watch that says nothing, not even a bookmark, for this long has not healed itself as it should have. */
const wedgedWatchMs = 180_000;
/** No reconcile takes as long as this and is well. */
export const wedgedWorkerMs = 600_000;

export function isWedged(health: InformerHealth): boolean {
  return health.state === "alive" && health.silentMs > wedgedWatchMs;
}
