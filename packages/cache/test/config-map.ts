import type { ConfigMap, ObjectMeta } from "@trimtab/apimachinery";

/** A ConfigMap `team/<name>` as of a resourceVersion; its UID comes from its name unless given. */
export function configMap(name: string, version: number, metadata: Partial<ObjectMeta> = {}): ConfigMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      namespace: "team",
      name,
      uid: `uid-of-${name}`,
      resourceVersion: String(version),
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...metadata,
    },
    data: { version: String(version) },
  };
}

/** The names and versions of objects, in the order of names. */
export function versionsOf(objects: Iterable<ConfigMap>): readonly string[] {
  return Array.from(objects, ({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort();
}
