import { resolve } from "node:path";
import { Pod } from "@trimtab/apimachinery";
import { serviceAccountKubeconfig } from "@trimtab/envtest";
import { auditEvents } from "@trimtab/envtest/vitest";
import { describe, expect, inject } from "vitest";
import { it, patience, type Team } from "./team.ts";

const role = resolve(import.meta.dirname, "../config/rbac/role.yaml");

interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** What the operator has asked for, as `verb resource`, and which of it was refused. */
async function requests({ namespace }: Team) {
  const user = `system:serviceaccount:${namespace}:operator`;
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
    const subject = `--serviceaccount=${team.namespace}:operator`;
    await team.kubectl("create", "rolebinding", "operator", "--clusterrole=podset-operator", subject);
    const access = { kubeconfigPath: inject("kubeconfigPath"), namespace: team.namespace, name: "operator" };
    await team.startOperator(await serviceAccountKubeconfig(access));

    await team.create("set", { replicas: 3 });
    const [gone = "", unlabelled = ""] = (await team.ready("set")).status?.podNames ?? [];
    await team.client.delete(Pod, team.key(gone));
    await team.client.mergePatch(Pod, team.key(unlabelled), { metadata: { labels: { version: null } } });
    await expect.poll(async () => [...(await requests(team)).sent], patience).toContain("patch pods");
    await team.scale("set", 1);
    await team.ready("set");
    await expect.poll(async () => [...(await requests(team)).sent], patience).toContain("create events");

    const { sent, refused } = await requests(team);
    expect(refused).toEqual([]);
    const { rules } = JSON.parse(await team.kubectl("get", "clusterrole", "podset-operator", "--output=json")) as {
      readonly rules: readonly Rule[];
    };
    const allowed = rules.flatMap(({ resources, verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
    );
    // For an admission plugin that this cluster does not have, for an Event that is told again, and for an API server
    // that cannot begin a watch with a list.
    const unseen = ["update podsets/finalizers", "patch events", "list podsets", "list pods"];
    expect(allowed.filter((each) => !unseen.includes(each)).toSorted()).toEqual(
      [...sent].filter((each) => !unseen.includes(each)).toSorted(),
    );
  });
});
