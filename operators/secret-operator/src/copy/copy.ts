import {
  type KubeObject,
  keyOf,
  type LabelSelector,
  type ObjectKey,
  type ResourceType,
  type Secret,
} from "@trimtab/apimachinery";
import type { SourceOptions } from "@trimtab/controller";
import { contentDigest } from "./content-digest.ts";

export const ownerUidLabel = "multisecrets.multi.ddnw.ml/owner-uid";
/** The policy in `config/admission/copies-only.yaml` goes by this label and that of the owner. */
export const managerLabel = "app.kubernetes.io/managed-by";
export const managerName = "secret-operator";
export const ownerNameAnnotation = "multisecrets.multi.ddnw.ml/owner";
export const ownerNamespaceAnnotation = "multisecrets.multi.ddnw.ml/namespace";

/** A Secret that is some MultiSecret's copy, as memory holds it: without its bytes. */
export interface Copy extends KubeObject {
  readonly type?: string;
  readonly immutable?: boolean;
  /** Of its data: see `contentDigest`. */
  readonly digest: string;
}
export const Copy: ResourceType<Copy> = {
  group: "",
  version: "v1",
  kind: "Secret",
  plural: "secrets",
  scope: "Namespaced",
};

const anyOwner: LabelSelector = { matchExpressions: [{ key: ownerUidLabel, operator: "Exists" }] };

/** Of all Secrets only copies are held in memory, and of those no bytes. */
export const copySource: SourceOptions<Copy> = { labelSelector: anyOwner, transform: withoutBytes };

/** Of a Secret that does not come from memory. */
export function copyOf({ metadata, ...secret }: Secret): Copy {
  // Who manages which field it says of everybody, and memory of us alone.
  return withoutBytes({ ...secret, metadata: { ...metadata, managedFields: [] } });
}

function withoutBytes(secret: KubeObject & Omit<Secret, "apiVersion" | "kind" | "metadata">): Copy {
  const { apiVersion, kind, metadata, type, immutable, data } = secret;
  return {
    apiVersion,
    kind,
    metadata,
    ...(type !== undefined && { type }),
    ...(immutable !== undefined && { immutable }),
    digest: contentDigest(data),
  };
}

/** The MultiSecret that a Secret says it is a copy of. */
export function ownerOf({ metadata: { annotations } }: KubeObject): Required<ObjectKey> | undefined {
  const name = annotations?.[ownerNameAnnotation];
  const namespace = annotations?.[ownerNamespaceAnnotation];
  return name === undefined || namespace === undefined ? undefined : { namespace, name };
}

export function ownerUidOf({ metadata: { labels } }: KubeObject): string | undefined {
  return labels?.[ownerUidLabel];
}

/**
 * Whether a Secret that bears the name of this owner's copies is one: by the owner's UID; or by its name, where a copy
 * has lost that label, or was made for an owner that is no more, since there is but one of that name. What has lost the
 * label of its manager too is somebody else's by now.
 */
export function isCopyOf(secret: KubeObject, owner: KubeObject): boolean {
  const { labels } = secret.metadata;
  if (ownerUidOf(secret) === owner.metadata.uid) return true;
  if (labels?.[managerLabel] !== managerName) return false;
  const named = ownerOf(secret);
  const { namespace, name } = keyOf(owner);
  return named?.name === name && named.namespace === namespace;
}
