import { Deployment, Pod } from "@trimtab/apimachinery";
import { describe, expect } from "vitest";
import { it, type Team } from "./team.ts";

const caches = Array.from({ length: 20 }, (_, index) => `cache-${index}`);

/** Resolves once an operator has seen to whatever there was to see to: it takes objects in turn, and this one comes last. */
async function settled(team: Team): Promise<void> {
  await team.create("last", { size: 0 });
  await team.ready("last");
}

describe("a Memcached operator that is killed", () => {
  it("goes on where it was, and makes no child too many", async ({ team }) => {
    const first = await team.startOperator();
    await Promise.all(caches.map((name) => team.create(name, { size: 2 })));
    await Promise.race(caches.map((name) => team.until(Deployment, name, () => true)));
    await first.kill();
    await team.startOperator();
    await Promise.all(caches.map((name) => team.ready(name)));

    const { items } = await team.client.list(Deployment, { namespace: team.namespace });
    expect(items.map(({ metadata }) => metadata.name).sort()).toEqual([...caches].sort());
    expect(items.map(({ metadata }) => metadata.generation)).toEqual(caches.map(() => 1));
    const created = (await team.writes()).filter((write) => /^create deployments \S+$/.test(write));
    expect(created).toHaveLength(new Set(created).size);
    expect(await team.pods()).toHaveLength(2 * caches.length);
  });

  it("writes nothing when it starts and there is nothing to do", async ({ team }) => {
    const first = await team.startOperator();
    await Promise.all(caches.map((name) => team.create(name, { size: 1 })));
    await Promise.all(caches.map((name) => team.ready(name)));
    await first.kill();
    const before = await team.writes();
    await team.startOperator();
    await settled(team);
    const since = (await team.writes()).slice(before.length);
    expect(since.filter((write) => !write.endsWith(" last") && !write.includes("events"))).toEqual([]);
  });

  it("repairs what went wrong while it was away", async ({ team }) => {
    const first = await team.startOperator();
    await team.create("cache", { size: 2 });
    await team.ready("cache");
    await first.kill();
    await team.resize("cache", 3);
    await team.client.delete(Deployment, team.key("cache"));
    await team.startOperator();
    const { status } = await team.ready("cache");
    expect(status?.nodes).toHaveLength(3);
    for (const node of status?.nodes ?? []) await team.client.get(Pod, team.key(node));
  });

  it("ends by itself, with exit code 0, when it is asked to", async ({ team }) => {
    const operator = await team.startOperator();
    expect(await operator.stop()).toBe("exit code 0");
  });
});
