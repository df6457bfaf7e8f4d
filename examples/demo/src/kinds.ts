import type { Condition, KubeObject, ResourceType } from "@trimtab/apimachinery";

/** The three custom resources, as somebody sees them who did not write their operators. */
export interface Memcached extends KubeObject {
  readonly kind: "Memcached";
  readonly spec: { readonly size: number };
  readonly status?: { readonly nodes: readonly string[]; readonly conditions?: readonly Condition[] };
}
export const Memcached: ResourceType<Memcached> = {
  group: "cache.example.com",
  version: "v1alpha1",
  kind: "Memcached",
  plural: "memcacheds",
  scope: "Namespaced",
};

export interface PodSet extends KubeObject {
  readonly kind: "PodSet";
  readonly spec: { readonly replicas: number };
  readonly status?: {
    readonly podNames: readonly string[];
    readonly availableReplicas: number;
    readonly conditions?: readonly Condition[];
  };
}
export const PodSet: ResourceType<PodSet> = {
  group: "app.example.com",
  version: "v1alpha1",
  kind: "PodSet",
  plural: "podsets",
  scope: "Namespaced",
};

export interface MultiSecret extends KubeObject {
  readonly kind: "MultiSecret";
  readonly status?: {
    readonly wanted: number;
    readonly created: number;
    readonly conditions?: readonly Condition[];
  };
}
export const MultiSecret: ResourceType<MultiSecret> = {
  group: "multi.ddnw.ml",
  version: "v1alpha1",
  kind: "MultiSecret",
  plural: "multisecrets",
  scope: "Namespaced",
};
