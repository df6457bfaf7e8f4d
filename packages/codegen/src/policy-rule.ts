import type { Grant } from "./grant.ts";

/** A rule of a Role, as `rbac.authorization.k8s.io/v1` has it. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/**
 * The fewest rules that grant just this, each of one group, in alphabetical order: all verbs of a resource are in one, and
 * resources with the same verbs share one (as in controller-gen, pkg/rbac/parser.go). The order of the grants does not matter.
 */
export function policyRules(grants: readonly Omit<Grant, "scope">[]): readonly PolicyRule[] {
  const rules = grants.map((grant) => ({
    apiGroups: [grant.group],
    resources: [resourceOf(grant)],
    ...(grant.resourceNames !== undefined && { resourceNames: grant.resourceNames }),
    verbs: [grant.verb],
  }));
  return merged(merged(rules, "verbs"), "resources").toSorted((a, b) => compare(JSON.stringify(a), JSON.stringify(b)));
}

/** As a rule names it: `deployments`, or `deployments/status`. */
export function resourceOf({ resource, subresource }: Pick<Grant, "resource" | "subresource">): string {
  return subresource === undefined ? resource : `${resource}/${subresource}`;
}

/** Makes one rule of those that differ in nothing but this list. */
function merged(rules: readonly PolicyRule[], list: "verbs" | "resources"): readonly PolicyRule[] {
  const found = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const id = JSON.stringify({ ...rule, [list]: [] });
    const together = new Set([...(found.get(id)?.[list] ?? []), ...rule[list]]);
    found.set(id, { ...rule, [list]: [...together].sort() });
  }
  return [...found.values()];
}

/** By code units: the same everywhere, whatever the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
