import { ConfigMap, controllerReference, Deployment, Pod } from "@trimtab/apimachinery";
import { describe, expect } from "vitest";
import { Memcached } from "../src/api/v1alpha1/memcached.ts";
import { it, patience, type Team } from "./team.ts";

const container = { name: "memcached", image: "memcached:1.4.36-alpine" };
const labels = { app: "memcached", memcached_cr: "cache" };

async function names(team: Team): Promise<readonly string[]> {
  return (await team.pods())
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)
    .sort();
}

describe("Memcached", () => {
  it("gets its size back when the Deployment has lost its number of replicas", async ({ team }) => {
    await team.create("cache", { size: 2 });
    await team.startOperator();
    await team.ready("cache");
    // The API server takes a missing number for one.
    await team.client.mergePatch(Deployment, team.key("cache"), { spec: { replicas: null } });
    await team.until(Deployment, "cache", ({ spec }) => spec?.replicas === 2);
    await team.ready("cache");
  });

  it.for([
    ["image", "/spec/template/spec/containers/0/image", "memcached:latest"],
    ["command", "/spec/template/spec/containers/0/command", ["memcached", "-m=1"]],
    ["port", "/spec/template/spec/containers/0/ports/0/name", "cache"],
    ["labels", "/metadata/labels", { app: "memcached", memcached_cr: "other" }],
    ["labels of all kinds", "/metadata/labels", {}],
    ["Pod security", "/spec/template/spec/securityContext", {}],
    ["readiness probe", "/spec/template/spec/containers/0/readinessProbe", null],
  ] as const)("undoes a change of the Deployment's %s", async ([, path, value], { team }) => {
    await team.create("cache", { size: 1 });
    await team.startOperator();
    await team.ready("cache");
    const before = await team.deployment("cache");
    const op = value === null ? ({ op: "remove", path } as const) : ({ op: "replace", path, value } as const);
    await team.client.patch(Deployment, team.key("cache"), [op]);
    await expect.poll(async () => withoutTimes(await team.deployment("cache")), patience).toEqual(withoutTimes(before));
    await team.ready("cache");
  });

  it("leaves alone what others add to its Deployment", async ({ team }) => {
    await team.create("cache", { size: 1 });
    await team.startOperator();
    await team.ready("cache");
    await team.client.mergePatch(Deployment, team.key("cache"), {
      metadata: { annotations: { "team.example.com/contact": "us" } },
      spec: { replicas: 3 },
    });
    await team.until(Deployment, "cache", ({ spec }) => spec?.replicas === 1);
    expect((await team.deployment("cache")).metadata.annotations).toMatchObject({ "team.example.com/contact": "us" });
  });

  it("names the Pod that takes the place of a deleted one", async ({ team }) => {
    await team.create("cache", { size: 2 });
    await team.startOperator();
    const [gone = ""] = (await team.ready("cache")).status?.nodes ?? [];
    await team.client.delete(Pod, team.key(gone));
    await team.until(Memcached, "cache", ({ status }) => status?.nodes.includes(gone) === false);
    const { status } = await team.ready("cache");
    expect(status?.nodes).toEqual(await names(team));
    expect(status?.nodes).toHaveLength(2);
  });

  it("names its nodes in alphabetical order, and writes nothing more once it has", async ({ team }) => {
    await team.create("cache", { size: 5 });
    await team.startOperator();
    const { metadata, status } = await team.ready("cache");
    expect(status?.nodes).toEqual(await names(team));
    expect(status?.nodes).toHaveLength(5);
    const writes = await team.writes();
    // Something else to do, and it is done: so whatever there was to do about this one has been done before.
    await team.create("another", { size: 0 });
    await team.ready("another");
    expect((await team.writes()).filter((write) => write.endsWith(" cache"))).toEqual(
      writes.filter((write) => write.endsWith(" cache")),
    );
    expect((await team.memcached("cache")).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it("counts no Pod that is on its way out", async ({ team }) => {
    await team.create("cache", { size: 2 });
    await team.startOperator();
    const [leaving = ""] = (await team.ready("cache")).status?.nodes ?? [];
    await team.client.mergePatch(Pod, team.key(leaving), { metadata: { finalizers: ["team.example.com/stay"] } });
    await team.client.delete(Pod, team.key(leaving));
    await team.until(Memcached, "cache", ({ status }) => status?.nodes.includes(leaving) === false);
    const { status } = await team.ready("cache");
    expect(status?.nodes).toHaveLength(2);
    expect(await team.client.get(Pod, team.key(leaving))).toMatchObject({ metadata: { name: leaving } });
    await team.client.mergePatch(Pod, team.key(leaving), { metadata: { finalizers: null } });
  });

  it("counts no Pod of another owner, whatever its labels", async ({ team }) => {
    const foreign = { metadata: { ...team.key("foreign"), labels }, spec: { containers: [container] } };
    await team.client.create(Pod, foreign);
    await team.create("cache", { size: 1 });
    await team.startOperator();
    const { status } = await team.ready("cache");
    expect(status?.nodes).toHaveLength(1);
    expect(status?.nodes).not.toContain("foreign");
  });

  it("has an empty list of nodes, not none, while there are no Pods", async ({ team }) => {
    await team.create("cache", { size: 0 });
    await team.startOperator();
    expect((await team.ready("cache")).status).toMatchObject({ nodes: [], replicas: 0, readyReplicas: 0 });
  });

  it("leaves alone a Deployment that is not its own, and says so, until that is gone", async ({ team }) => {
    const foreign = await team.client.create(Deployment, {
      metadata: { ...team.key("cache"), labels: { theirs: "yes" } },
      spec: {
        replicas: 0,
        selector: { matchLabels: { theirs: "yes" } },
        template: { metadata: { labels: { theirs: "yes" } }, spec: { containers: [container] } },
      },
    });
    await team.create("cache", { size: 1 });
    await team.startOperator();
    const message = await team.unready("cache", "OwnershipConflict");
    expect(message).toMatch(/Deployment .*cache.*delete or rename it/);
    await expect.poll(() => team.events("cache"), patience).toContainEqual(`OwnershipConflict: ${message}`);
    const { metadata, spec } = await team.deployment("cache");
    expect([metadata.uid, metadata.generation, spec]).toEqual([foreign.metadata.uid, 1, foreign.spec]);

    await team.client.delete(Deployment, team.key("cache"));
    expect((await team.ready("cache")).status?.nodes).toHaveLength(1);
  });

  it("leaves alone a Deployment that another object controls", async ({ team }) => {
    const boss = await team.client.create(ConfigMap, { metadata: team.key("boss") });
    await team.client.create(Deployment, {
      metadata: { ...team.key("cache"), labels, ownerReferences: [controllerReference(boss)] },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    });
    await team.create("cache", { size: 1 });
    await team.startOperator();
    const message = await team.unready("cache", "OwnershipConflict");
    expect(message).toContain("is controlled by ConfigMap boss");
    await expect.poll(() => team.events("cache"), patience).toContainEqual(`OwnershipConflict: ${message}`);
  });

  it("says which spec its status is about, and what happened, in conditions and events", async ({ team }) => {
    await team.create("cache", { size: 1 });
    await team.startOperator();
    await team.ready("cache");
    await team.resize("cache", 3);
    const { status } = await team.ready("cache");
    expect(status).toMatchObject({
      observedGeneration: 2,
      replicas: 3,
      readyReplicas: 3,
      selector: "app=memcached,memcached_cr=cache",
    });
    expect(status?.conditions).toMatchObject([
      { type: "Ready", status: "True", reason: "RolledOut", message: "3 of 3 Pods are ready", observedGeneration: 2 },
      { type: "Available", status: "True", reason: "MinimumReplicasAvailable", observedGeneration: 2 },
      { type: "Progressing", status: "False", reason: "RolledOut", observedGeneration: 2 },
    ]);
    await expect
      .poll(() => team.events("cache"), patience)
      .toEqual(
        expect.arrayContaining([
          "Created: created Deployment cache",
          "Scaled: scaled Deployment cache to 3",
          "RolledOut: 3 of 3 Pods are ready",
        ]),
      );
  });

  it("puts right a status that somebody else has written", async ({ team }) => {
    await team.create("cache", { size: 1 });
    await team.startOperator();
    const { status } = await team.ready("cache");
    const wrong = { status: { nodes: ["elsewhere"], replicas: 7 } };
    await team.client.mergePatch(Memcached, team.key("cache"), wrong, { subresource: "status" });
    await expect.poll(async () => (await team.memcached("cache")).status, patience).toEqual(status);
  });

  it("rolls a new image out, and at no moment is without nodes", async ({ team }) => {
    await team.create("cache", { size: 2 });
    await team.startOperator();
    const { status } = await team.ready("cache");
    const seen = await team.watching(Memcached, "cache", async () => {
      await team.client.mergePatch(Memcached, team.key("cache"), { spec: { image: "memcached" } });
      const rolled = await team.ready("cache");
      expect(rolled.status?.nodes).toHaveLength(2);
      expect(rolled.status?.nodes).not.toEqual(expect.arrayContaining([...(status?.nodes ?? [])]));
    });
    expect(Math.min(...seen.map((memcached) => memcached.status?.nodes.length ?? 0))).toBeGreaterThanOrEqual(2);
  });

  it("never goes back to an older size while many sizes are asked for in a row", async ({ team }) => {
    await team.create("cache", { size: 0 });
    await team.startOperator();
    await team.ready("cache");
    const seen = await team.watching(Deployment, "cache", async () => {
      for (let size = 1; size <= 20; size++) await team.resize("cache", size);
      await team.ready("cache");
    });
    const sizes = seen.map(({ spec }) => spec?.replicas ?? 0);
    expect(sizes.at(-1)).toBe(20);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  });
});

function withoutTimes({ metadata: { labels, ownerReferences }, spec }: Deployment): object {
  return { labels, ownerReferences, spec };
}
