export type { Wire } from "./builtin.ts";
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
export type { Condition, ConditionStatus, ConditionUpdate } from "./condition.ts";
export { setCondition } from "./condition.ts";
export type { Duration } from "./duration.ts";
export { milliseconds } from "./duration.ts";
export { microTime } from "./micro-time.ts";
export type { FieldsV1, KubeObject, ManagedFieldsEntry, ObjectKey, ObjectMeta, OwnerReference } from "./object.ts";
export { formatKey, isDeleting, keyOf } from "./object.ts";
export { controllerOf, controllerReference, isControlledBy, refersTo } from "./owner-reference.ts";
export { isEqualQuantity } from "./quantity.ts";
export type { ObjectOf, ResourceType } from "./resource-type.ts";
export { apiVersionOf, isCustom } from "./resource-type.ts";
export { compareResourceVersions } from "./resource-version.ts";
export type { LabelSelector, LabelSelectorRequirement, Labels } from "./selector.ts";
export { formatSelector, matchesSelector } from "./selector.ts";
