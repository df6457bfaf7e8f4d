import { type KubeObject, keyOf, type ResourceType } from "@trimtab/apimachinery";
import type { Client, RequestOptions } from "./client.ts";
import { isOf } from "./field-ownership.ts";

/**
 * Makes what a manager owns by creating or updating an object its own by server-side apply, so that the next apply
 * lets go of what it does not name (as client-go's `csaupgrade` does).
 */
export async function adoptCreatedFields<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  manager: string,
  options: RequestOptions,
): Promise<void> {
  // The object at hand may hold the entries of its own manager only, so the indexes must be read.
  const { metadata } = await client.get(type, keyOf(object), options);
  const entries = metadata.managedFields ?? [];
  const applied = entries.find((entry) => isOf(entry, manager) && entry.operation === "Apply");
  const adopted = entries.flatMap((entry) => {
    if (!isOf(entry, manager) || entry.operation !== "Update") return [entry];
    return applied === undefined ? [{ ...entry, operation: "Apply" as const }] : [];
  });
  await client.patch(
    type,
    keyOf(object),
    [
      { op: "test", path: "/metadata/uid", value: object.metadata.uid },
      { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
      { op: "replace", path: "/metadata/managedFields", value: adopted },
    ],
    options,
  );
}
