import { resolve } from "node:path";
import { Pod } from "@trimtab/apimachinery";
import { accountRequests, allowedRequests, readRoles } from "@trimtab/envtest";
import { auditEvents } from "@trimtab/envtest/vitest";
import { describe, expect } from "vitest";
import { it, patience } from "./team.ts";

const role = resolve(import.meta.dirname, "../config/rbac/namespaced/role.yaml");

describe("config/rbac/namespaced/role.yaml", () => {
  it("allows all that the operator does, and nothing that it never does", async ({ team }) => {
    const requests = async () => accountRequests(await auditEvents(), team.namespace);
    await team.startOperator();
    await team.create("set", { replicas: 3 });
    const [gone = "", unlabelled = ""] = (await team.ready("set")).status?.podNames ?? [];
    await team.client.delete(Pod, team.key(gone));
    await team.client.mergePatch(Pod, team.key(unlabelled), { metadata: { labels: { version: null } } });
    await expect.poll(async () => [...(await requests()).sent], patience).toContain("patch pods");
    await team.scale("set", 1);
    await team.ready("set");
    await expect.poll(async () => [...(await requests()).sent], patience).toContain("create events");

    const { sent, refused } = await requests();
    expect([...refused]).toEqual([]);
    // For an admission plugin that this cluster does not have, for an Event that is told again, and for an API server
    // that cannot begin a watch with a list.
    const unseen = ["update podsets/finalizers", "patch events", "list podsets", "list pods"];
    const allowed = allowedRequests(await readRoles(role));
    expect([...allowed].filter((each) => !unseen.includes(each)).toSorted()).toEqual(
      [...sent].filter((each) => !unseen.includes(each)).toSorted(),
    );
  });
});
