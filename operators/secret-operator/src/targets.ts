import { isDeleting, matchesSelector, type Namespace } from "@trimtab/apimachinery";
import type { MultiSecret } from "./api/v1alpha1/multisecret.ts";

/** Whether a namespace is to hold a copy. */
export function selects({ spec }: MultiSecret, namespace: Namespace): boolean {
  return isStaying(namespace) && matchesSelector(namespace.metadata.labels, spec.namespaceSelector ?? {});
}

/** Nothing can be made in a namespace that is being deleted. */
function isStaying(namespace: Namespace): boolean {
  return !isDeleting(namespace) && namespace.status?.phase !== "Terminating";
}

/** A namespace without all that nobody here reads. */
export function leanNamespace({ apiVersion, kind, metadata, status }: Namespace): Namespace {
  const phase = status?.phase;
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, annotations: {} },
    ...(phase !== undefined && { status: { phase } }),
  };
}
