import type {
  EventsV1Event,
  V1ConfigMap,
  V1CustomResourceDefinition,
  V1Deployment,
  V1Lease,
  V1Namespace,
  V1Node,
  V1Pod,
  V1ReplicaSet,
  V1Secret,
  V1ServiceAccount,
} from "@kubernetes/client-node";
import type { KubeObject, ObjectMeta } from "./object.ts";
import type { ResourceType } from "./resource-type.ts";

/** A model as JSON holds it: times are RFC 3339 strings, not Dates; and nothing is written to what was read. */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Wire<T[K]> }
      : T;

/** A generated model with its identity made certain: literal kind, real metadata. */
type Stored<Model, ApiVersion extends string, Kind extends string> = Wire<
  Omit<Model, "apiVersion" | "kind" | "metadata">
> & { readonly apiVersion: ApiVersion; readonly kind: Kind; readonly metadata: ObjectMeta };

export type Deployment = Stored<V1Deployment, "apps/v1", "Deployment">;
export const Deployment: ResourceType<Deployment> = namespaced("apps", "v1", "Deployment", "deployments");

export type ReplicaSet = Stored<V1ReplicaSet, "apps/v1", "ReplicaSet">;
export const ReplicaSet: ResourceType<ReplicaSet> = namespaced("apps", "v1", "ReplicaSet", "replicasets");

export type Pod = Stored<V1Pod, "v1", "Pod">;
export const Pod: ResourceType<Pod> = namespaced("", "v1", "Pod", "pods");

export type Secret = Stored<V1Secret, "v1", "Secret">;
export const Secret: ResourceType<Secret> = namespaced("", "v1", "Secret", "secrets");

export type ConfigMap = Stored<V1ConfigMap, "v1", "ConfigMap">;
export const ConfigMap: ResourceType<ConfigMap> = namespaced("", "v1", "ConfigMap", "configmaps");

export type ServiceAccount = Stored<V1ServiceAccount, "v1", "ServiceAccount">;
export const ServiceAccount: ResourceType<ServiceAccount> = namespaced("", "v1", "ServiceAccount", "serviceaccounts");

export type Namespace = Stored<V1Namespace, "v1", "Namespace">;
export const Namespace: ResourceType<Namespace> = clusterScoped("", "v1", "Namespace", "namespaces");

export type Node = Stored<V1Node, "v1", "Node">;
export const Node: ResourceType<Node> = clusterScoped("", "v1", "Node", "nodes");

export type Lease = Stored<V1Lease, "coordination.k8s.io/v1", "Lease">;
export const Lease: ResourceType<Lease> = namespaced("coordination.k8s.io", "v1", "Lease", "leases");

export type Event = Stored<EventsV1Event, "events.k8s.io/v1", "Event">;
export const Event: ResourceType<Event> = namespaced("events.k8s.io", "v1", "Event", "events");

export type CustomResourceDefinition = Stored<
  V1CustomResourceDefinition,
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition"
>;
export const CustomResourceDefinition: ResourceType<CustomResourceDefinition> = clusterScoped(
  "apiextensions.k8s.io",
  "v1",
  "CustomResourceDefinition",
  "customresourcedefinitions",
);

function namespaced<T extends KubeObject>(
  group: string,
  version: string,
  kind: T["kind"],
  plural: string,
): ResourceType<T> {
  return { group, version, kind, plural, scope: "Namespaced" };
}

function clusterScoped<T extends KubeObject>(
  group: string,
  version: string,
  kind: T["kind"],
  plural: string,
): ResourceType<T> {
  return { group, version, kind, plural, scope: "Cluster" };
}
