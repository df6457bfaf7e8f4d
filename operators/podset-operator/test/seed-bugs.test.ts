import { controllerReference, Pod } from "@trimtab/apimachinery";
import { describe, expect } from "vitest";
import { podFor } from "../src/resources/pod.ts";
import { podName } from "../src/resources/pod-name.ts";
import { protectPod } from "./protected-pod.ts";
import { it, patience } from "./team.ts";

describe("PodSet", () => {
  it("makes all its pods in one go, and writes its status once", async ({ team }) => {
    await team.create("set", { replicas: 5 });
    await team.startOperator();
    const { status } = await team.ready("set");
    const writes = await team.writes();
    const creates = (status?.podNames ?? []).map((name) => `create pods ${name}`);
    expect(writes.slice(0, 5).toSorted()).toEqual(creates);
    // The pods become ready while the status is written: the states in between may be told as well.
    expect(writes.filter((write) => write.startsWith("create pods"))).toHaveLength(5);
    expect(writes.filter((write) => !/ (pods|podsets\/status|events)\b/.test(write))).toEqual([]);
  });

  it("names its pods in alphabetical order, and writes nothing more once it has", async ({ team }) => {
    await team.create("set", { replicas: 10 });
    await team.startOperator();
    const { metadata, status } = await team.ready("set");
    expect(status?.podNames).toEqual(await team.podNames("set"));
    expect(status?.podNames).toHaveLength(10);
    const writes = (await team.writes()).filter((write) => write.endsWith(" set"));
    // Something else to do, and it is done: so whatever there was to do about this one has been done before.
    await team.create("another");
    await team.ready("another");
    expect((await team.writes()).filter((write) => write.endsWith(" set"))).toEqual(writes);
    expect((await team.podset("set")).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it("has one pod where it does not say how many", async ({ team }) => {
    expect((await team.create("set")).spec.replicas).toBe(1);
    await team.startOperator();
    expect((await team.ready("set")).status?.podNames).toHaveLength(1);
  });

  it.for(["Failed", "Succeeded"])("replaces a pod that has %s, tells of it and removes it", async (phase, { team }) => {
    await team.create("set", { replicas: 2 });
    await team.startOperator();
    const { status } = await team.ready("set");
    const [ended = "", other] = status?.podNames ?? [];
    await team.say(ended, { phase, reason: "Evicted", message: "no room" });
    await expect.poll(async () => (await team.podset("set")).status?.podNames, patience).not.toContain(ended);
    expect((await team.ready("set")).status?.podNames).toHaveLength(2);
    expect(await team.podNames("set")).toContain(other);
    await expect.poll(async () => (await team.pods("set")).length, patience).toBe(2);
    const obituary = `PodEnded: pod ${ended} has ${phase.toLowerCase()} (Evicted: no room); it is deleted`;
    await expect.poll(() => team.events("set"), patience).toContainEqual(obituary);
  });

  it("lets time pass between the failures of pods in one place, and says so by the pods it counts", async ({
    team,
  }) => {
    await team.create("set");
    await team.startOperator();
    const [first = ""] = (await team.ready("set")).status?.podNames ?? [];
    await team.say(first, { phase: "Failed" });
    await expect.poll(() => team.podNames("set"), patience).not.toEqual([first]);
    await expect.poll(() => team.podNames("set"), patience).toHaveLength(1);
    const [second = ""] = await team.podNames("set");
    const { metadata } = await team.client.get(Pod, team.key(second));
    await team.say(second, { phase: "Failed" });
    await expect.poll(() => team.podNames("set"), patience).toHaveLength(1);
    const [third = ""] = await team.podNames("set");
    const successor = await team.client.get(Pod, team.key(third));
    const passedMs = Date.parse(successor.metadata.creationTimestamp) - Date.parse(metadata.creationTimestamp);
    expect(passedMs).toBeGreaterThanOrEqual(9_000);
  });

  it("notices that a pod is no longer ready, and that it is again", async ({ team }) => {
    await team.create("set", { replicas: 2 });
    await team.startOperator();
    const [name = ""] = (await team.ready("set")).status?.podNames ?? [];
    const ready = (status: string) => ({ conditions: [{ type: "Ready", status }] });
    await team.say(name, ready("False"));
    expect(await team.unready("set", "PodsNotReady")).toBe("1 of 2 pods are ready");
    expect((await team.podset("set")).status).toMatchObject({ replicas: 2, readyReplicas: 1, availableReplicas: 1 });
    await team.say(name, ready("True"));
    expect((await team.ready("set")).status).toMatchObject({ replicas: 2, readyReplicas: 2, availableReplicas: 2 });
  });

  it("calls no pod available that is pending", async ({ team }) => {
    const podset = await team.create("set", { replicas: 2 });
    const { metadata, spec } = podFor(podset, podName(podset, 0, 0));
    await team.client.create(Pod, { metadata, spec: { ...spec, schedulerName: "nobody" } });
    await team.startOperator();
    const status = async () => (await team.podset("set")).status;
    await expect.poll(status, patience).toMatchObject({ replicas: 2, readyReplicas: 1, availableReplicas: 1 });
    expect(await team.unready("set", "PodsNotReady")).toBe("1 of 2 pods are ready");
    expect((await status())?.podNames).toContain(metadata.name);
  });

  it("replaces a pod that is being deleted at once, under a new name, and does not count it", async ({ team }) => {
    await team.create("set", { replicas: 2 });
    await team.startOperator();
    const [leaving = ""] = (await team.ready("set")).status?.podNames ?? [];
    await team.hold(leaving);
    await team.client.delete(Pod, team.key(leaving));
    await expect.poll(async () => (await team.podset("set")).status?.podNames, patience).not.toContain(leaving);
    const { status } = await team.ready("set");
    expect(status?.podNames).toHaveLength(2);
    expect(await team.pods("set")).toHaveLength(3);
    await team.hold(leaving, null);
    await expect.poll(() => team.pods("set"), patience).toHaveLength(2);
    expect((await team.podset("set")).status?.podNames).toEqual(status?.podNames);
  });

  it("neither counts nor deletes pods of others, whatever their labels", async ({ team }) => {
    const labels = { app: "set", version: "v0.1" };
    const orphan = await team.foreignPod("orphan", labels);
    const boss = await team.create("boss");
    const spec = { containers: [{ name: "only", image: "any" }] };
    const metadata = { ...team.key("theirs"), labels, ownerReferences: [controllerReference(boss)] };
    await team.client.create(Pod, { metadata, spec });
    await team.create("set", { replicas: 3 });
    await team.startOperator();
    expect((await team.ready("set")).status?.podNames).toEqual(await team.podNames("set"));
    expect(await team.podNames("set")).toHaveLength(3);
    await team.scale("set", 1);
    await expect.poll(() => team.podNames("set"), patience).toHaveLength(1);
    await team.ready("set");
    expect(await team.client.get(Pod, team.key("orphan"))).toMatchObject({ metadata: { uid: orphan.metadata.uid } });
    expect((await team.ready("boss")).status?.podNames).toEqual(["theirs"]);
  });

  it("leaves a pod alone that happens to have the name it would have given, and takes another name", async ({
    team,
  }) => {
    const podset = await team.create("set", { replicas: 2 });
    const name = podName(podset, 1, 0);
    const foreign = await team.foreignPod(name);
    await team.startOperator();
    const { status } = await team.ready("set");
    expect(status?.podNames).toHaveLength(2);
    expect(status?.podNames).not.toContain(name);
    expect(await team.client.get(Pod, team.key(name))).toMatchObject({ metadata: { uid: foreign.metadata.uid } });
  });

  it("says which spec its status is about, after it has acted on it", async ({ team }) => {
    await team.create("set", { replicas: 1 });
    await team.startOperator();
    await team.ready("set");
    await team.scale("set", 4);
    const { metadata, status } = await team.ready("set");
    expect(status).toMatchObject({
      observedGeneration: metadata.generation,
      podNames: await team.podNames("set"),
      replicas: 4,
      readyReplicas: 4,
      availableReplicas: 4,
      selector: "app=set,version=v0.1",
      conditions: [{ type: "Ready", status: "True", reason: "PodsReady", message: "4 of 4 pods are ready" }],
    });
  });

  it("gives up first the pods that serve least", async ({ team }) => {
    await team.create("set", { replicas: 4 });
    await team.startOperator();
    const [a = "", b = "", c = "", d = ""] = (await team.ready("set")).status?.podNames ?? [];
    await team.say(c, { conditions: [{ type: "Ready", status: "False" }] });
    const cost = { "controller.kubernetes.io/pod-deletion-cost": "-1" };
    await team.client.mergePatch(Pod, team.key(a), { metadata: { annotations: cost } });
    await team.unready("set", "PodsNotReady");
    await team.scale("set", 2);
    expect((await team.ready("set")).status?.podNames).toEqual([b, d].toSorted());
  });

  it("deletes all pods that are too many, even if one of them cannot be", async ({ team }) => {
    await team.create("set", { replicas: 4 });
    await team.startOperator();
    const [kept = "", ...others] = (await team.ready("set")).status?.podNames ?? [];
    const unready = { conditions: [{ type: "Ready", status: "False" }] };
    await team.say(kept, unready);
    await team.unready("set", "PodsNotReady");
    const lift = await protectPod(team, kept);
    await team.scale("set", 1);
    const message = await team.unready("set", "Forbidden");
    expect(message).toMatch(/pods "set-pod-.*" is forbidden.*have what it names allowed/);
    await expect.poll(() => team.podNames("set"), patience).toHaveLength(2);
    expect(await team.podNames("set")).toContain(kept);
    await lift();
    const { status } = await team.ready("set");
    expect(others).toEqual(expect.arrayContaining([...(status?.podNames ?? [])]));
  });

  it("puts back the labels that its pods have lost, and makes no pod in their place", async ({ team }) => {
    await team.create("set", { replicas: 2 });
    await team.startOperator();
    const { status } = await team.ready("set");
    const [first = "", second = ""] = status?.podNames ?? [];
    await team.client.mergePatch(Pod, team.key(first), { metadata: { labels: { version: null } } });
    await team.client.mergePatch(Pod, team.key(second), { metadata: { labels: { app: "other" } } });
    for (const name of [first, second]) {
      const labels = async () => (await team.client.get(Pod, team.key(name))).metadata.labels;
      await expect.poll(labels, patience).toEqual({ app: "set", version: "v0.1" });
    }
    expect((await team.ready("set")).status?.podNames).toEqual([first, second]);
    expect(await team.pods("set")).toHaveLength(2);
  });

  it("lets go of a pod whose owner reference is taken off, and makes another", async ({ team }) => {
    await team.create("set", { replicas: 1 });
    await team.startOperator();
    const [released = ""] = (await team.ready("set")).status?.podNames ?? [];
    await team.client.mergePatch(Pod, team.key(released), { metadata: { ownerReferences: null } });
    await expect.poll(async () => (await team.podset("set")).status?.podNames, patience).not.toContain(released);
    expect((await team.ready("set")).status?.podNames).toHaveLength(1);
    expect(await team.client.get(Pod, team.key(released))).toMatchObject({ metadata: { name: released } });
  });
});
