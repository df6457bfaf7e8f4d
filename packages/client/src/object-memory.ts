import type { KubeObject, ObjectKey, ResourceType } from "@trimtab/apimachinery";

/**
 * What is already known of the cluster, for a client that must not ask or send what it need not.
 * The cache is one; a client without one asks the API server instead.
 */
export interface ObjectMemory {
  /**
   * The object as last seen, `"absent"` if it is known not to be there, `undefined` if nothing
   * is known of it: its kind is not watched, or not in that namespace.
   */
  recall<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): T | "absent" | undefined;
  /** A write was answered with this object; later reads must not be older. */
  wrote(type: ResourceType, object: KubeObject): void;
  /** A delete of the object with this UID was answered, and it is gone. */
  deleted(type: ResourceType, key: ObjectKey, uid: string): void;
}
