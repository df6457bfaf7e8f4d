import { describe, expect, it } from "vitest";
import { bindingsOf, identityOf, type Manifest, ofKind } from "./manifest.ts";
import { operators, pathOf } from "./operators.ts";
import { render } from "./render.ts";

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface Role extends Manifest {
  readonly rules: readonly Rule[];
}

/** The rules that a render gives the operator's account; those of roles for people are not among them. */
async function rulesOf(folder: string): Promise<readonly Rule[]> {
  const manifests = await render(folder);
  const bindings = bindingsOf(manifests);
  const bound = new Set(bindings.map(({ roleRef }) => `${roleRef.kind} ${roleRef.name}`));
  const roles = ofKind<Role>(manifests, "Role", "ClusterRole").filter(({ kind, metadata }) =>
    bound.has(`${kind} ${metadata.name}`),
  );
  if (roles.length < bindings.length) throw new Error(`a role is missing: ${manifests.map(identityOf)}`);
  return roles.flatMap(({ rules }) => rules);
}

const folders = operators.flatMap((operator) =>
  (["default", "namespaced"] as const).map((name) => ({ operator, name, folder: pathOf(operator, "config", name) })),
);

describe.for(folders)("the account that config/$name of $operator makes", ({ operator, folder }) => {
  const rules = rulesOf(folder);
  const about = async (resource: string) => (await rules).filter(({ resources }) => resources?.includes(resource));

  it("has no right that a wildcard gives", async () => {
    const words = (await rules).flatMap(({ apiGroups = [], resources = [], verbs }) =>
      [apiGroups, resources, verbs].flat(),
    );
    expect(words).not.toContain("*");
  });

  it("may raise nobody's rights, its own included", async () => {
    const verbs = (await rules).flatMap((rule) => rule.verbs);
    for (const verb of ["escalate", "bind", "impersonate"]) expect(verbs).not.toContain(verb);
    expect((await rules).flatMap(({ apiGroups = [] }) => apiGroups)).not.toContain("rbac.authorization.k8s.io");
  });

  it("sees Secrets only where they are its work", async () => {
    expect(await about("secrets")).toHaveLength(operator === "secret-operator" ? 1 : 0);
  });

  it("writes Events, and reads none", async () => {
    expect((await about("events")).flatMap(({ verbs }) => verbs)).toEqual(["create", "patch"]);
  });

  it("has a lease of its own, and nobody else's", async () => {
    for (const { verbs, resourceNames } of await about("leases"))
      expect(resourceNames ?? verbs).toEqual(resourceNames ? [`${operator}-leader`] : ["create"]);
  });
});
