import type { FieldsV1, KubeObject, ObjectMeta } from "@trimtab/apimachinery";
import type { DesiredCopy } from "./desired-copy.ts";

type Entries = Readonly<Record<string, string>>;

/** The metadata that a copy is to have: with what is desired, without what we set once and no longer do, else as it is. */
export function copyMetadata({ metadata }: KubeObject, { labels, annotations }: DesiredCopy): ObjectMeta {
  return {
    ...metadata,
    labels: merged(metadata, "labels", labels),
    annotations: merged(metadata, "annotations", annotations),
  };
}

export function hasMetadata(copy: KubeObject, desired: DesiredCopy): boolean {
  const { labels, annotations } = copyMetadata(copy, desired);
  return isEqual(copy.metadata.labels, labels) && isEqual(copy.metadata.annotations, annotations);
}

function merged(metadata: ObjectMeta, field: "labels" | "annotations", desired: Entries): Entries {
  const kept = Object.entries(metadata[field] ?? {}).filter(([key]) => !isOurs(metadata, field, key));
  return { ...Object.fromEntries(kept), ...desired };
}

/** By the book of managers: of an object in memory, only our own entries are left in it. */
function isOurs({ managedFields = [] }: ObjectMeta, field: string, key: string): boolean {
  return managedFields.some(({ fieldsV1 }) => at(fieldsV1, "f:metadata", `f:${field}`, `f:${key}`) !== undefined);
}

function at(fields: FieldsV1 | undefined, ...path: readonly string[]): FieldsV1 | undefined {
  return path.reduce((node, name) => node?.[name], fields);
}

function isEqual(a: Entries = {}, b: Entries = {}): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
