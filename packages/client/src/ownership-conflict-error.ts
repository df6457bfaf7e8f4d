import { controllerOf, formatKey, type KubeObject, keyOf, type ResourceType } from "@trimtab/apimachinery";

/** Thrown by `apply` when an object of that name is there and is not ours to write. */
export class OwnershipConflictError extends Error {
  override readonly name = "OwnershipConflictError";
  readonly type: ResourceType;
  readonly object: KubeObject;

  constructor(type: ResourceType, object: KubeObject) {
    const holder = controllerOf(object);
    const held = holder === undefined ? "was made by someone else" : `is controlled by ${holder.kind} ${holder.name}`;
    super(`${type.kind} ${formatKey(keyOf(object))} ${held}: it is left alone; delete or rename it to make room`);
    this.type = type;
    this.object = object;
  }
}
