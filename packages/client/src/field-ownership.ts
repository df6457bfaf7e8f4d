import type { FieldsV1, KubeObject, ManagedFieldsEntry } from "@trimtab/apimachinery";

/** The fields of the main resource that a manager owns by server-side apply, and those by a create or an update. */
export interface OwnedFields {
  readonly applied: FieldsV1 | undefined;
  readonly updated: FieldsV1 | undefined;
}

export function ownedFields(object: KubeObject, manager: string): OwnedFields {
  let applied: FieldsV1 | undefined;
  let updated: FieldsV1 | undefined;
  for (const entry of object.metadata.managedFields ?? []) {
    if (!isOf(entry, manager)) continue;
    if (entry.operation === "Apply") applied = entry.fieldsV1;
    else updated = entry.fieldsV1;
  }
  return { applied, updated };
}

export function isOf({ manager, subresource }: ManagedFieldsEntry, name: string): boolean {
  return manager === name && (subresource === undefined || subresource === "");
}
