import type { CustomResourceType } from "@trimtab/crd";
import { leaseAccess } from "@trimtab/leader-election";
import { leaseNameOf, type Operator } from "@trimtab/manager";
import { type GeneratedFile, headOf } from "./generated-file.ts";
import { type Grant, grantsOf } from "./grant.ts";
import { personaRoles } from "./persona-roles.ts";
import { type RoleOptions, roleManifest } from "./role-manifest.ts";

/**
 * What an operator may do, and what people may do with its kinds, as YAML files named as kubebuilder names them. The same
 * operator gives the same bytes.
 *
 * @param types the custom resources that are the operator's own
 */
export function rbacFiles(operator: Operator, types: readonly CustomResourceType[]): readonly GeneratedFile[] {
  const grants = grantsOf(operator);
  const isNamespaced = ({ scope }: Grant): boolean => scope === "Namespaced";
  const clusterScoped = grants.filter((grant) => !isNamespaced(grant));
  return [
    file("role.yaml", { kind: "ClusterRole", name: "manager-role", comment: whyWatchNeedsList, grants }),
    // In a folder of its own, for a kustomization that is taken once for each namespace.
    file("namespaced/role.yaml", {
      kind: "Role",
      name: "manager-role",
      comment: "In place of the ClusterRole manager-role, in each of the namespaces that --namespaces names.",
      grants: grants.filter(isNamespaced),
    }),
    ...(clusterScoped.length > 0 ? [clusterRoleFile(clusterScoped)] : []),
    file("leader_election_role.yaml", { kind: "Role", name: "leader-election-role", grants: leaseGrants(operator) }),
    ...personaRoles(types).map(({ fileName, ...role }) => file(fileName, role)),
  ];
}

const whyWatchNeedsList = "A watch needs list too, where the API server cannot begin it with what there is.";

function clusterRoleFile(grants: readonly Grant[]): GeneratedFile {
  const comment =
    "What is in no namespace: beside the Roles manager-role, and in place of the ClusterRole of that name.";
  return file("cluster/role.yaml", { kind: "ClusterRole", name: "manager-cluster-role", comment, grants });
}

/** What is created has no name yet that a rule could be held against. */
function leaseGrants({ name }: Operator): readonly Grant[] {
  const resourceNames = [leaseNameOf(name)];
  return leaseAccess.map((right) => ({
    ...right,
    scope: "Namespaced",
    ...(right.verb !== "create" && { resourceNames }),
  }));
}

function file(name: string, role: RoleOptions): GeneratedFile {
  return { name, text: headOf("src/operator.ts and what it runs") + roleManifest(role) };
}
