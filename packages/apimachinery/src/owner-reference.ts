import type { KubeObject, OwnerReference } from "./object.ts";
import type { ResourceType } from "./resource-type.ts";

/**
 * The reference that makes `owner` the controller of the object that holds it.
 * An owner must be cluster-scoped or live in its child's namespace: the garbage collector
 * deletes any other child at once.
 */
export function controllerReference(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The one owner with `controller: true`, of whatever type. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** Whether `owner` controls the object, by UID: a namesake that was made anew does not. */
export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

/** Whether a reference names an object of this type; the version may differ, group and kind may not. */
export function refersTo(reference: OwnerReference, type: ResourceType): boolean {
  const slash = reference.apiVersion.indexOf("/");
  const group = slash === -1 ? "" : reference.apiVersion.slice(0, slash);
  return reference.kind === type.kind && group === type.group;
}
