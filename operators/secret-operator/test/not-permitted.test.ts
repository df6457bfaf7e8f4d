import { resolve } from "node:path";
import { accountWithRoles, type OperatorProcess, readRoles } from "@trimtab/envtest";
import { describe, expect, inject } from "vitest";
import { it, patience, type Team } from "./team.ts";

const rbac = resolve(import.meta.dirname, "../config/rbac/namespaced");
const seesNamespaces = {
  kind: "ClusterRole",
  metadata: { name: "sees-namespaces" },
  rules: [{ apiGroups: [""], resources: ["namespaces"], verbs: ["list", "watch"] }],
} as const;

/** The operator as an account that has no ClusterRole on Secrets, and its Role in `home` and `near` alone. */
async function startOperator(team: Team): Promise<OperatorProcess> {
  const roles = [seesNamespaces, ...(await readRoles(`${rbac}/role.yaml`))];
  const where = { kubeconfigPath: inject("kubeconfigPath"), namespace: team.home, namespaces: [team.home, team.near] };
  return team.startOperator(await accountWithRoles({ ...where, roles }));
}

/** Lets the operator into a namespace, as its owner would. */
async function permit(team: Team, namespace: string): Promise<void> {
  const account = `--serviceaccount=${team.home}:controller-manager`;
  await team.kubectl("create", `--filename=${rbac}/role.yaml`, `--namespace=${namespace}`);
  const binding = ["rolebinding", "manager-role", "--role=manager-role", account];
  await team.kubectl("create", ...binding, `--namespace=${namespace}`);
}

describe("without rights in one of its namespaces", () => {
  it("starts, copies into the others, and names the one with the rule that is missing", async ({ team }) => {
    await team.create("sample");
    const operator = await startOperator(team);
    const message = await team.unready("sample", "NotPermitted");
    expect(message).toMatch(
      new RegExp(
        `^2 of 3 namespaces hold the copy that they should; in namespace ${team.far}: system:serviceaccount:${team.home}:\\S+ may not watch secrets in the namespace ${team.far}: grant it .* by a Role there$`,
      ),
    );
    expect(await team.holders("sample")).toEqual([team.home, team.near]);
    expect(await team.events("sample")).toContain(`NotPermitted: ${message}`);
    const readiness = await (await fetch(`${operator.healthUrl}/readyz?verbose`)).text();
    expect(readiness).toMatch(new RegExp(`\\[\\+\\]cache:secrets@${team.far} ok, but .* may not watch secrets`));
    // It asks for nothing there that it knows to be refused.
    expect((await team.writes()).filter((write) => write.includes("403"))).toEqual([]);
  });

  it("copies there too once it has them, without a new start", async ({ team }) => {
    await team.create("sample");
    await startOperator(team);
    await team.unready("sample", "NotPermitted");
    await permit(team, team.far);
    await team.ready("sample");
    expect(await team.holders("sample")).toEqual([team.home, team.near, team.far]);
  });

  it("lets a MultiSecret go that never had a copy there", async ({ team }) => {
    await team.create("sample");
    await startOperator(team);
    await team.unready("sample", "NotPermitted");
    await team.kubectl("delete", "multisecret/sample", "--timeout=20s");
    expect(await team.holders("sample")).toEqual([]);
  });

  it("holds a MultiSecret whose copy it may no longer delete, and says so", async ({ team }) => {
    await team.create("sample");
    await startOperator(team);
    await team.unready("sample", "NotPermitted");
    await permit(team, team.far);
    await team.ready("sample");
    await team.kubectl("delete", "rolebinding", "manager-role", `--namespace=${team.far}`);
    await team.kubectl("delete", "multisecret/sample", "--wait=false");
    expect(await team.unready("sample", "NotPermitted")).toContain(`in namespace ${team.far}`);
    await expect.poll(() => team.holders("sample"), patience).toEqual([team.far]);
  });
});
