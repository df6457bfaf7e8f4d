import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { Secret } from "@trimtab/apimachinery";
import { ignoreNotFound } from "@trimtab/client";
import { accountWithRoles, readRoles } from "@trimtab/envtest";
import { describe, expect, inject } from "vitest";
import {
  managerLabel,
  managerName,
  ownerNameAnnotation,
  ownerNamespaceAnnotation,
  ownerUidLabel,
} from "../src/copy/copy.ts";
import { copyName } from "../src/copy/copy-name.ts";
import { it, patience, type Team } from "./team.ts";

const rbac = resolve(import.meta.dirname, "../config/rbac");
const role = `${rbac}/namespaced/role.yaml`;

/** How the operator gets in without a ClusterRole on Secrets, and with its Role in `home` and `near` alone. */
async function access(team: Team): Promise<string> {
  const roles = [...(await readRoles(`${rbac}/cluster/role.yaml`)), ...(await readRoles(role))];
  const where = { kubeconfigPath: inject("kubeconfigPath"), namespace: team.home, namespaces: [team.home, team.near] };
  return accountWithRoles({ ...where, roles });
}

/** Lets the operator into a namespace, as its owner would. */
async function permit(team: Team, namespace: string): Promise<void> {
  const account = `--serviceaccount=${team.home}:controller-manager`;
  await team.kubectl("create", `--filename=${role}`, `--namespace=${namespace}`);
  const binding = ["rolebinding", "manager-role", "--role=manager-role", account];
  await team.kubectl("create", ...binding, `--namespace=${namespace}`);
}

/** Makes a copy in this namespace of a MultiSecret that never was there. @returns what says whether it is there still */
async function orphan(team: Team, namespace: string): Promise<() => Promise<boolean>> {
  const name = copyName({ namespace, name: "orphan" });
  const labels = { [managerLabel]: managerName, [ownerUidLabel]: randomUUID() };
  const annotations = { [ownerNameAnnotation]: "orphan", [ownerNamespaceAnnotation]: namespace };
  await team.client.create(Secret, { metadata: { namespace, name, labels, annotations } });
  return async () => (await ignoreNotFound(team.client.get(Secret, { namespace, name }))) !== undefined;
}

describe("without rights in one of its namespaces", () => {
  it("starts, copies into the others, and names the one with the rule that is missing", async ({ team }) => {
    await team.create("sample");
    const operator = await team.startOperator(await access(team));
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
    await team.startOperator(await access(team));
    await team.unready("sample", "NotPermitted");
    await permit(team, team.far);
    await team.ready("sample");
    expect(await team.holders("sample")).toEqual([team.home, team.near, team.far]);
  });

  it("lets a MultiSecret go that never had a copy there", async ({ team }) => {
    await team.create("sample");
    await team.startOperator(await access(team));
    await team.unready("sample", "NotPermitted");
    await team.kubectl("delete", "multisecret/sample", "--timeout=20s");
    expect(await team.holders("sample")).toEqual([]);
  });

  it("holds a MultiSecret whose copy it may no longer delete, and says so", async ({ team }) => {
    await team.create("sample");
    await team.startOperator(await access(team));
    await team.unready("sample", "NotPermitted");
    await permit(team, team.far);
    await team.ready("sample");
    await team.kubectl("delete", "rolebinding", "manager-role", `--namespace=${team.far}`);
    await team.kubectl("delete", "multisecret/sample", "--wait=false");
    expect(await team.unready("sample", "NotPermitted")).toContain(`in namespace ${team.far}`);
    await expect.poll(() => team.holders("sample"), patience).toEqual([team.far]);
  });

  it("deletes an orphan there once it is let in", async ({ team }) => {
    await team.create("sample");
    await team.startOperator(await access(team));
    await team.unready("sample", "NotPermitted");
    const isThere = await orphan(team, team.far);
    await permit(team, team.far);
    await expect.poll(isThere, patience).toBe(false);
  });

  it("leaves copies alone whose MultiSecret it may not see, until it may", async ({ team }) => {
    await team.create("sample");
    const kubeconfig = await access(team);
    const operator = await team.startOperator(kubeconfig);
    await team.unready("sample", "NotPermitted");
    await operator.stop();
    await team.kubectl("delete", "role/manager-role", "rolebinding/manager-role");
    await team.edit("sample", { metadata: { finalizers: null } });
    await team.kubectl("delete", "multisecret/sample");
    const isThere = await orphan(team, team.near);

    await team.startOperator(kubeconfig);
    await expect.poll(isThere, patience).toBe(false);
    expect(await team.holders("sample")).toEqual([team.home, team.near]);
    await permit(team, team.home);
    await expect.poll(() => team.holders("sample"), patience).toEqual([]);
  });
});
