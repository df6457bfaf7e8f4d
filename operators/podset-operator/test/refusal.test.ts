import { resolve } from "node:path";
import { Namespace, Pod } from "@trimtab/apimachinery";
import { describe, expect } from "vitest";
import { it, patience } from "./team.ts";

const clusterRole = resolve(import.meta.dirname, "../config/rbac/role.yaml");

describe("a PodSet whose pods are refused", () => {
  it("says which quota is in the way and what to do, and has as many pods as it lets it", async ({ team }) => {
    await team.quota({ pods: "2" });
    await team.startOperator();
    await team.create("set", { replicas: 5 });
    const message = await team.unready("set", "QuotaExceeded");
    expect(message).toMatch(
      /^[0-2] of 5 pods are ready: .*exceeded quota: quota.*make room in the quota, or lower spec.replicas$/,
    );
    const { status } = await team.podset("set");
    expect(status?.podNames).toEqual(await team.podNames("set"));
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({ type: "ReplicaFailure", status: "True", reason: "QuotaExceeded" }),
    );
    const told = async () => (await team.events("set")).filter((event) => event.startsWith("QuotaExceeded: "));
    await expect.poll(told, patience).not.toEqual([]);

    await team.scale("set", 2);
    expect((await team.ready("set")).status?.conditions?.map(({ type }) => type)).toEqual(["Ready"]);
  });

  it("tries a few at a time, and again before long", async ({ team }) => {
    await team.quota({ pods: "0" });
    await team.startOperator();
    await team.create("set", { replicas: 10 });
    await team.unready("set", "QuotaExceeded");
    await expect.poll(() => team.writes(), patience).toContainEqual(expect.stringMatching(/^create pods .* 403$/));
    const tries = (await team.writes()).filter((write) => write.startsWith("create pods"));
    // One a run: ten at once would be ten names.
    expect(new Set(tries).size).toBe(1);
    await team.kubectl("delete", "resourcequota", "quota");
    expect((await team.ready("set")).status?.podNames).toHaveLength(10);
  });

  it("holds back no other one", async ({ team }) => {
    await team.startOperator();
    await team.create("first", { replicas: 1 });
    const { status } = await team.ready("first");
    await team.quota({ pods: "1" });
    await team.create("second", { replicas: 1 });
    await team.unready("second", "QuotaExceeded");
    expect((await team.ready("first")).status?.podNames).toEqual(status?.podNames);
  });

  it("is gone with its namespace, without a complaint in the log", async ({ team }) => {
    const operator = await team.startOperator(await team.accountElsewhere(clusterRole));
    await team.create("set", { replicas: 3 });
    const [held = ""] = (await team.ready("set")).status?.podNames ?? [];
    await team.hold(held);
    await team.client.delete(Namespace, { name: team.namespace });
    await expect
      .poll(async () => (await team.client.get(Pod, team.key(held))).metadata.deletionTimestamp, patience)
      .toBeDefined();
    await team.hold(held, null);
    const reason = () => team.client.get(Namespace, { name: team.namespace }).catch(({ reason }) => reason);
    await expect.poll(reason, patience).toBe("NotFound");
    expect((await operator.log()).filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
