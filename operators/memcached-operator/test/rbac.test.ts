import { resolve } from "node:path";
import { Deployment, Pod } from "@trimtab/apimachinery";
import { accountRequests, allowedRequests, readRoles } from "@trimtab/envtest";
import { auditEvents } from "@trimtab/envtest/vitest";
import { describe, expect } from "vitest";
import { it, patience } from "./team.ts";

const role = resolve(import.meta.dirname, "../config/rbac/namespaced/role.yaml");

describe("config/rbac/namespaced/role.yaml", () => {
  it("allows all that the operator does, and nothing that it never does", async ({ team }) => {
    const requests = async () => accountRequests(await auditEvents(), team.namespace);
    await team.startOperator();
    await team.create("cache", { size: 2 });
    const [gone = ""] = (await team.ready("cache")).status?.nodes ?? [];
    await team.client.delete(Pod, team.key(gone));
    await team.resize("cache", 3);
    await team.ready("cache");
    // Without its labels the Deployment is out of the operator's sight, until it looks for it by name.
    await team.client.mergePatch(Deployment, team.key("cache"), { metadata: { labels: null } });
    await expect.poll(async () => (await team.deployment("cache")).metadata.labels, patience).toBeDefined();
    await expect.poll(async () => [...(await requests()).sent], patience).toContain("patch events");

    const { sent, refused } = await requests();
    expect([...refused]).toEqual([]);
    // Lists are for API servers that cannot begin a watch with what there is; the finalizers rule is for an admission plugin.
    const unseen = /^(list |update memcacheds\/finalizers$)/;
    const allowed = [...allowedRequests(await readRoles(role))].filter((request) => !unseen.test(request));
    expect([...sent].sort()).toEqual(allowed.sort());
  });
});
