import { readFile } from "node:fs/promises";

/** A Role or ClusterRole, as far as it says what one may do. */
export interface Role {
  readonly kind: "ClusterRole" | "Role";
  readonly metadata: { readonly name: string };
  readonly rules: readonly RoleRule[];
}

export interface RoleRule {
  readonly apiGroups: readonly string[];
  /** Such as `deployments`, or `deployments/status`. */
  readonly resources: readonly string[];
  /** @default all objects */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** The roles that a YAML file holds. @throws if it holds anything else */
export async function readRoles(path: string): Promise<readonly Role[]> {
  const { parseAllDocuments } = await import("yaml");
  const objects = parseAllDocuments(await readFile(path, "utf8")).map((document) => document.toJS() as Role);
  const stranger = objects.find(({ kind }) => kind !== "ClusterRole" && kind !== "Role");
  if (stranger !== undefined) throw new TypeError(`${path} holds a ${stranger.kind}, which is no role`);
  return objects;
}
