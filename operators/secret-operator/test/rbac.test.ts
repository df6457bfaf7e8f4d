import { resolve } from "node:path";
import { Secret } from "@trimtab/apimachinery";
import { serviceAccountKubeconfig } from "@trimtab/envtest";
import { auditEvents } from "@trimtab/envtest/vitest";
import { describe, expect, inject } from "vitest";
import { MultiSecret } from "../src/api/v1alpha1/multisecret.ts";
import { it, patience, type Team } from "./team.ts";

const role = resolve(import.meta.dirname, "../config/rbac/role.yaml");

interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** What the operator has asked for, as `verb resource`, and which of it was refused. */
async function requests({ home }: Team) {
  const user = `system:serviceaccount:${home}:operator`;
  const own = (await auditEvents()).filter((event) => event.user.username === user);
  const name = ({ verb, objectRef = {} }: (typeof own)[number]) =>
    `${verb} ${[objectRef.resource, objectRef.subresource].filter(Boolean).join("/")}`;
  const refused = own.filter(({ responseStatus }) => responseStatus?.code === 403);
  return { sent: new Set(own.map(name)), refused: refused.map(name) };
}

describe("config/rbac/role.yaml", () => {
  it("allows all that the operator does, and nothing that it never does", async ({ team }) => {
    await team.kubectl("create", "serviceaccount", "operator");
    await team.kubectl("apply", "--server-side", `--filename=${role}`);
    const subject = `--serviceaccount=${team.home}:operator`;
    await team.kubectl("create", "clusterrolebinding", team.name, "--clusterrole=secret-operator", subject);
    const access = { kubeconfigPath: inject("kubeconfigPath"), namespace: team.home, name: "operator" };
    const operator = await team.startOperator(await serviceAccountKubeconfig(access));

    await team.foreign("sample", team.near);
    await team.create("sample");
    await team.unready("sample", "OwnershipConflict");
    await team.editCopy("sample", team.far, { data: { user: "YQ==" } });
    await expect.poll(() => team.content("sample", team.far), patience).toEqual({ user: "sample" });
    // A copy that never had an owner: that is asked for.
    const { metadata, data } = (await team.copy("sample", team.far)) ?? {};
    const annotations = { ...metadata?.annotations, "multisecrets.multi.ddnw.ml/owner": "nobody" };
    const orphan = { namespace: team.far, name: `nobody.${team.home}.multisec` };
    const labels = { ...metadata?.labels };
    await team.client.create(Secret, { metadata: { ...orphan, labels, annotations }, data: { ...data } });
    const found = () => team.client.get(Secret, orphan).catch(({ reason }: { reason: string }) => reason);
    await expect.poll(found, patience).toBe("NotFound");
    await team.client.delete(MultiSecret, team.key("sample"));
    await team.gone("sample");
    await operator.stop();

    const { sent, refused } = await requests(team);
    expect(refused).toEqual([]);
    const { rules } = JSON.parse(await team.kubectl("get", "clusterrole", "secret-operator", "--output=json")) as {
      readonly rules: readonly Rule[];
    };
    const allowed = rules.flatMap(({ resources, verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
    );
    // For an Event that is told again, and for an API server that cannot begin a watch with a list.
    const unseen = ["patch events", "list multisecrets", "list namespaces"];
    expect(allowed.filter((each) => !unseen.includes(each)).toSorted()).toEqual(
      [...sent].filter((each) => !unseen.includes(each)).toSorted(),
    );
    await team.kubectl("delete", "clusterrolebinding", team.name);
  });
});
