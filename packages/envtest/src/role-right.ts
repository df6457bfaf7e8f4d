import type { Role, RoleRule } from "./role.ts";

/** The least that a role can grant: one verb on one resource. */
export interface RoleRight {
  readonly group: string;
  /** Such as `deployments`, or `deployments/status`. */
  readonly resource: string;
  readonly verb: string;
}

/** Such as `patch deployments.apps/status`. */
export function rightName({ verb, resource, group }: RoleRight): string {
  const [kind, ...subresource] = resource.split("/");
  return `${verb} ${[group === "" ? kind : `${kind}.${group}`, ...subresource].join("/")}`;
}

/** All that these roles grant, right by right, none of them twice. */
export function rightsOfRoles(roles: readonly Role[]): readonly RoleRight[] {
  const rights = roles
    .flatMap(({ rules }) => rules)
    .flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => ({ group, resource, verb })))),
    );
  return [...new Map(rights.map((right) => [rightName(right), right])).values()];
}

/** The same roles, which grant one right less. */
export function withoutRight(roles: readonly Role[], right: RoleRight): readonly Role[] {
  return roles.map((role) => ({ ...role, rules: role.rules.flatMap((rule) => without(rule, right)) }));
}

/** A rule grants each verb on each resource of each group: what is left of it when one is taken out may be three. */
function without(rule: RoleRule, { group, resource, verb }: RoleRight): readonly RoleRule[] {
  const { apiGroups, resources, verbs } = rule;
  if (!apiGroups.includes(group) || !resources.includes(resource) || !verbs.includes(verb)) return [rule];
  return [
    { ...rule, apiGroups: apiGroups.filter((each) => each !== group) },
    { ...rule, apiGroups: [group], resources: resources.filter((each) => each !== resource) },
    { ...rule, apiGroups: [group], resources: [resource], verbs: verbs.filter((each) => each !== verb) },
  ].filter((part) => part.apiGroups.length > 0 && part.resources.length > 0 && part.verbs.length > 0);
}
