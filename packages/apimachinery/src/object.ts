/**
 * The metadata of an object as the API server returns it: identity is never
 * missing, so nothing that reads an object has to assert that it is there.
 */
export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  /** An informer keeps only the entries of its own field manager. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** Who set which fields, and how (KEP-555). */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: "Apply" | "Update";
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: FieldsV1;
  readonly subresource?: string;
}

/** A tree of fields: `f:name`, `k:{"key":"value"}`, `v:value`, `i:index`, and `.` for the node itself. */
export interface FieldsV1 {
  readonly [path: string]: FieldsV1;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Any object that the API server stores. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** Names one object of a kind; what a workqueue holds. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** `namespace/name`, or `name` for a cluster-scoped object. */
export function formatKey({ namespace, name }: ObjectKey): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function keyOf({ metadata: { namespace, name } }: KubeObject): ObjectKey {
  return namespace === undefined ? { name } : { namespace, name };
}

export function isDeleting(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
