import type { Member } from "./untouched-operators.ts";
import { shortName } from "./workspace.ts";

/** What is to be released, because nothing has the tag of its version yet. */
export interface PendingRelease {
  readonly name: string;
  readonly version: string;
  /** In git. Operators share a repository, so theirs begin with the operator's name. */
  readonly tag: string;
}

/** The operators that `tags` has no release of yet; their image's tag is `v` and the version. */
export function pendingOperators(operators: readonly Member[], tags: ReadonlySet<string>): readonly PendingRelease[] {
  return operators
    .map(({ name, version }) => ({ name: shortName(name), version, tag: `${shortName(name)}-v${version}` }))
    .filter(({ tag }) => !tags.has(tag));
}

/**
 * The packages, which share one version, if `tags` has no release of that.
 *
 * @throws {Error} if they do not share one
 */
export function pendingPackages(packages: readonly Member[], tags: ReadonlySet<string>): readonly PendingRelease[] {
  const [version, ...others] = new Set(packages.map((each) => each.version));
  if (version === undefined || others.length > 0)
    throw new Error(`packages share one version, but these have ${[version, ...others].join(", ")}`);
  const release = { name: "packages", version, tag: `v${version}` };
  return version === "0.0.0" || tags.has(release.tag) ? [] : [release];
}
