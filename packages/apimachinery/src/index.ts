export {
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  Event,
  Lease,
  Namespace,
  Node,
  Pod,
  ReplicaSet,
  Secret,
  ServiceAccount,
} from "./builtin.ts";
export type { Wire } from "./builtin.ts";
export { setCondition } from "./condition.ts";
export type { Condition, ConditionStatus, ConditionUpdate } from "./condition.ts";
export { milliseconds } from "./duration.ts";
export type { Duration } from "./duration.ts";
export { formatKey, isDeleting, keyOf } from "./object.ts";
export type { FieldsV1, KubeObject, ManagedFieldsEntry, ObjectKey, ObjectMeta, OwnerReference } from "./object.ts";
export { controllerOf, controllerReference, isControlledBy, refersTo } from "./owner-reference.ts";
export { apiVersionOf } from "./resource-type.ts";
export type { ObjectOf, ResourceType } from "./resource-type.ts";
export { compareResourceVersions } from "./resource-version.ts";
export { formatSelector, matchesSelector } from "./selector.ts";
export type { Labels, LabelSelector, LabelSelectorRequirement } from "./selector.ts";
