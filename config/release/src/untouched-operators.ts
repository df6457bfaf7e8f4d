/** What `changeset status --output` tells of a package. */
export interface PlannedRelease {
  readonly name: string;
  readonly type: "major" | "minor" | "patch" | "none";
  /** The changesets that name it: none, if it only goes along with others. */
  readonly changesets: readonly string[];
}

/** A member of the workspace, as its package.json says. */
export interface Member {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * The operators that a plan would release for nothing: no changeset names them, nor a package that is bundled into them. As the
 * packages share one version, a change of one takes all others along, and with them every operator.
 */
export function untouchedOperators(
  plan: readonly PlannedRelease[],
  operators: readonly Member[],
  packages: readonly Member[],
): readonly Member[] {
  const named = new Set(plan.filter(({ changesets }) => changesets.length > 0).map(({ name }) => name));
  const planned = new Set(plan.filter(({ type }) => type !== "none").map(({ name }) => name));
  const members = new Map([...packages, ...operators].map((each) => [each.name, each]));
  return operators.filter(
    ({ name }) => planned.has(name) && ![...bundled(name, members)].some((each) => named.has(each)),
  );
}

/** A member and all members that it depends on, however indirectly. */
function bundled(name: string, members: ReadonlyMap<string, Member>, found: Set<string> = new Set()): Set<string> {
  const member = members.get(name);
  if (member === undefined || found.has(name)) return found;
  found.add(name);
  for (const dependency of Object.keys(member.dependencies ?? {})) bundled(dependency, members, found);
  return found;
}
