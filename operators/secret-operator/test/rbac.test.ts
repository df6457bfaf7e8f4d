import { resolve } from "node:path";
import { Secret } from "@trimtab/apimachinery";
import { accountRequests, allowedRequests, readRoles } from "@trimtab/envtest";
import { auditEvents } from "@trimtab/envtest/vitest";
import { describe, expect } from "vitest";
import { MultiSecret } from "../src/api/v1alpha1/multisecret.ts";
import { it, patience } from "./team.ts";

const role = resolve(import.meta.dirname, "../config/rbac/role.yaml");

describe("config/rbac/role.yaml", () => {
  it("allows all that the operator does, and nothing that it never does", async ({ team }) => {
    const operator = await team.startOperator();

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

    const { sent, refused } = accountRequests(await auditEvents(), team.home);
    expect([...refused]).toEqual([]);
    // For an Event that is told again, and for an API server that cannot begin a watch with a list.
    const unseen = ["patch events", "list multisecrets", "list namespaces"];
    const allowed = allowedRequests(await readRoles(role));
    expect([...allowed].filter((each) => !unseen.includes(each)).toSorted()).toEqual(
      [...sent].filter((each) => !unseen.includes(each)).toSorted(),
    );
  });
});
