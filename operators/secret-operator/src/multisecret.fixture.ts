import type { FieldsV1, KubeObject, ObjectMeta, Secret } from "@trimtab/apimachinery";
import type { MultiSecret } from "./api/v1alpha1/multisecret.ts";
import { type Copy, copySource } from "./copy/copy.ts";
import { desiredCopy, secretFor } from "./copy/desired-copy.ts";

/** A MultiSecret as the API server returns it, for tests. */
export function multiSecretWith(
  spec: Partial<MultiSecret["spec"]> = {},
  metadata: Partial<ObjectMeta> = {},
): MultiSecret {
  return {
    apiVersion: "multi.ddnw.ml/v1alpha1",
    kind: "MultiSecret",
    metadata: { ...metadataOf("sample"), ...metadata },
    spec: { type: "Opaque", ...spec },
  };
}

/** Its copy in a namespace, as memory holds it, and what of it is otherwise. */
export function copyIn(namespace: string, multiSecret: MultiSecret, changes: Partial<Secret> = {}): Copy {
  const { metadata, type, data } = secretFor(desiredCopy(multiSecret), namespace) as Secret;
  return copySource.transform?.({
    apiVersion: "v1",
    kind: "Secret",
    type,
    data,
    ...changes,
    metadata: {
      ...metadataOf("any"),
      ...metadata,
      namespace,
      managedFields: [{ fieldsV1: { "f:metadata": fieldsOf(metadata) } }],
      ...changes.metadata,
    },
  } as KubeObject as Copy) as Copy;
}

export function metadataOf(name: string): ObjectMeta {
  return {
    name,
    namespace: "home",
    uid: `${name}-uid`,
    resourceVersion: "1",
    generation: 1,
    creationTimestamp: "2026-01-01T00:00:00Z",
  };
}

function fieldsOf({ labels = {}, annotations = {} }: ObjectMeta): FieldsV1 {
  const fields = (entries: object): FieldsV1 => Object.fromEntries(Object.keys(entries).map((key) => [`f:${key}`, {}]));
  return { "f:labels": fields(labels), "f:annotations": fields(annotations) };
}
