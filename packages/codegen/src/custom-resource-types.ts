import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CustomResourceType } from "@trimtab/crd";

/**
 * The custom resources that the modules under a folder export, in the order of their paths.
 * Importing a module runs it: an api module must do nothing but describe its type.
 */
export async function customResourceTypes(folder: string): Promise<readonly CustomResourceType[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !/\.(test|test-d|d)\.ts$/.test(entry.name))
    .map((entry) => resolve(join(entry.parentPath, entry.name)))
    .sort();
  const types = new Set<CustomResourceType>();
  for (const path of paths) {
    const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(path).href);
    for (const value of Object.values(module)) if (isCustomResourceType(value)) types.add(value);
  }
  return [...types];
}

function isCustomResourceType(value: unknown): value is CustomResourceType {
  return typeof value === "object" && value !== null && "kind" in value && "plural" in value && "schema" in value;
}
