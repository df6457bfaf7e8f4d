import type { KubeObject, ObjectKey, ResourceType } from "@trimtab/apimachinery";

/** The URL path of a kind: all of it, or of one namespace. */
export function collectionPath<T extends KubeObject>(type: ResourceType<T>, namespace?: string): string {
  const root = type.group === "" ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const scope =
    type.scope === "Cluster" || namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${type.plural}`;
}

/** @throws TypeError if the key of a namespaced object names no namespace */
export function objectPath<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, subresource?: string): string {
  if (type.scope === "Namespaced" && key.namespace === undefined)
    throw new TypeError(`${type.kind} ${key.name} is namespaced: its key must name a namespace`);
  const path = `${collectionPath(type, key.namespace)}/${encodeURIComponent(key.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** A query string with its `?`, of those parameters that have a value. */
export function queryOf(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  let query = "";
  for (const name in parameters) {
    const value = parameters[name];
    if (value === undefined || value === "") continue;
    query += `${query === "" ? "?" : "&"}${name}=${encodeURIComponent(value)}`;
  }
  return query;
}
