import { resolve } from "node:path";
import { Namespace } from "@trimtab/apimachinery";
import { describe, expect } from "vitest";
import { it, patience } from "./team.ts";

const clusterRole = resolve(import.meta.dirname, "../config/rbac/role.yaml");

describe("a Memcached whose Deployment is refused", () => {
  it("says which quota is in the way, and what to do", async ({ team }) => {
    await team.quota({ "count/deployments.apps": "0" });
    await team.create("cache", { size: 1 });
    await team.startOperator();
    const message = await team.unready("cache", "Forbidden");
    expect(message).toMatch(/exceeded quota: quota.*make room in what it names, or have it raised/);
    await expect.poll(() => team.events("cache"), patience).toContainEqual(`Forbidden: ${message}`);
    expect((await team.memcached("cache")).status?.nodes).toEqual([]);
  });

  it("holds back no other one", async ({ team }) => {
    await team.quota({ "count/deployments.apps": "1" });
    await team.startOperator();
    await team.create("first", { size: 1 });
    await team.ready("first");
    await team.create("second", { size: 1 });
    await team.unready("second", "Forbidden");
    await team.resize("first", 2);
    expect((await team.ready("first")).status?.nodes).toHaveLength(2);
  });

  it("is gone with its namespace, without a complaint in the log", async ({ team }) => {
    await team.create("cache", { size: 2 });
    const operator = await team.startOperator(await team.accountElsewhere(clusterRole));
    await team.ready("cache");
    await team.client.delete(Namespace, { name: team.namespace });
    await expect
      .poll(() => team.client.get(Namespace, { name: team.namespace }).catch(({ reason }) => reason), patience)
      .toBe("NotFound");
    expect((await operator.log()).filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

describe("a Memcached whose Pods are refused", () => {
  it("says which quota is in the way and what to do, and goes on serving with the Pods it has", async ({ team }) => {
    await team.create("cache", { size: 1 });
    await team.startOperator();
    const { status } = await team.ready("cache");
    await team.quota({ pods: "1" });
    await team.resize("cache", 3);
    const message = await team.unready("cache", "FailedCreate");
    expect(message).toMatch(/^1 of 3 Pods are ready: .*exceeded quota: quota.*or lower spec.size$/);
    expect((await team.memcached("cache")).status?.nodes).toEqual(status?.nodes);
  });
});
