import type { KubeObject, ResourceType } from "@trimtab/apimachinery";

/** Limits what a namespace may hold. */
export interface ResourceQuota extends KubeObject {
  readonly spec: { readonly hard: Readonly<Record<string, string>> };
  readonly status?: { readonly used?: object };
}

export const ResourceQuota: ResourceType<ResourceQuota> = {
  group: "",
  version: "v1",
  kind: "ResourceQuota",
  plural: "resourcequotas",
  scope: "Namespaced",
};
