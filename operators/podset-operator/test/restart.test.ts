import { controllerOf, Pod, type Pod as PodObject } from "@trimtab/apimachinery";
import { describe, expect } from "vitest";
import { isActive } from "../src/pod-state.ts";
import { it, patience, type Team } from "./team.ts";

const sets = Array.from({ length: 15 }, (_, index) => `set-${index}`);

/** How many pods of one owner there have been at once, at most, while `work` was done: of those that count. */
async function mostAtOnce({ client, namespace }: Team, work: () => Promise<void>): Promise<number> {
  const stop = new AbortController();
  const { items, resourceVersion } = await client.list(Pod, { namespace });
  const pods = new Map<string, PodObject>(items.map((pod) => [pod.metadata.name, pod]));
  let most = 0;
  let seen = resourceVersion;
  const watched = (async () => {
    for await (const event of client.watch(Pod, { namespace, resourceVersion, signal: stop.signal })) {
      if (event.type === "ERROR" || event.type === "BOOKMARK") continue;
      seen = event.object.metadata.resourceVersion;
      if (event.type === "DELETED") pods.delete(event.object.metadata.name);
      else pods.set(event.object.metadata.name, event.object);
      const counts = Map.groupBy([...pods.values()].filter(isActive), (pod) => controllerOf(pod)?.uid);
      most = Math.max(most, ...Array.from(counts.values(), ({ length }) => length));
    }
  })();
  await work();
  const marker = await client.create(Pod, {
    metadata: { namespace, name: "marker" },
    spec: { schedulerName: "nobody", containers: [{ name: "only", image: "any" }] },
  });
  await expect.poll(() => Number(seen), patience).toBeGreaterThanOrEqual(Number(marker.metadata.resourceVersion));
  stop.abort();
  await watched.catch(() => {});
  return most;
}

describe("a PodSet operator that is killed", () => {
  it("goes on where it was, and never makes a pod too many", async ({ team }) => {
    const most = await mostAtOnce(team, async () => {
      let operator = await team.startOperator();
      await Promise.all(sets.map((name) => team.create(name, { replicas: 4 })));
      await expect.poll(async () => (await team.writes()).length, patience).toBeGreaterThan(5);
      await operator.kill();
      operator = await team.startOperator();
      await expect.poll(async () => (await team.writes()).length, patience).toBeGreaterThan(40);
      await operator.kill();
      await team.startOperator();
      await Promise.all(sets.map((name) => team.ready(name)));
    });
    expect(most).toBe(4);
    for (const name of sets) expect((await team.podset(name)).status?.podNames).toEqual(await team.podNames(name));
    const writes = await team.writes();
    expect(writes.filter((write) => write.startsWith("delete"))).toEqual([]);
  });

  it("never makes a pod too many in the place of pods that are deleted meanwhile", async ({ team }) => {
    await team.startOperator();
    await Promise.all(sets.map((name) => team.create(name, { replicas: 3 })));
    await Promise.all(sets.map((name) => team.ready(name)));
    const most = await mostAtOnce(team, async () => {
      for (let round = 0; round < 3; round += 1) {
        const { items } = await team.client.list(Pod, { namespace: team.namespace });
        const leaving = items.filter((_, index) => index % 2 === round % 2);
        const deleted = Promise.all(leaving.map(({ metadata }) => team.client.delete(Pod, team.key(metadata.name))));
        await team.operator?.kill();
        await deleted;
        await team.startOperator();
      }
      for (const name of sets) await expect.poll(() => team.podNames(name), patience).toHaveLength(3);
    });
    expect(most).toBe(3);
    await Promise.all(sets.map((name) => team.ready(name)));
  });

  it("writes nothing when it starts and there is nothing to do", async ({ team }) => {
    const first = await team.startOperator();
    await Promise.all(sets.map((name) => team.create(name, { replicas: 2 })));
    await Promise.all(sets.map((name) => team.ready(name)));
    await first.kill();
    const before = await team.writes();
    await team.startOperator();
    // It takes objects in turn, and this one comes last.
    await team.create("last");
    const { status } = await team.ready("last");
    const isOfLast = (write: string) => write.endsWith(" last") || write.endsWith(` ${status?.podNames[0]}`);
    const since = (await team.writes()).slice(before.length);
    expect(since.filter((write) => !isOfLast(write) && !write.includes("events"))).toEqual([]);
  });

  it("repairs what went wrong while it was away", async ({ team }) => {
    const first = await team.startOperator();
    await team.create("set", { replicas: 3 });
    const [gone = "", failed = ""] = (await team.ready("set")).status?.podNames ?? [];
    await first.kill();
    await team.client.delete(Pod, team.key(gone));
    await team.say(failed, { phase: "Failed" });
    await team.scale("set", 5);
    await team.startOperator();
    const { status } = await team.ready("set");
    expect(status?.podNames).toHaveLength(5);
    expect(status?.podNames).toEqual(await team.podNames("set"));
    expect(status?.podNames).not.toContain(gone);
    expect(status?.podNames).not.toContain(failed);
  });

  it("ends by itself, with exit code 0, when it is asked to", async ({ team }) => {
    const operator = await team.startOperator();
    expect(await operator.stop()).toBe("exit code 0");
  });
});
