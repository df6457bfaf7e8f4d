import { describe, expect } from "vitest";
import { MultiSecret } from "../src/api/v1alpha1/multisecret.ts";
import { it, patience } from "./team.ts";

const names = Array.from({ length: 20 }, (_, index) => `sample-${index}`);

describe("a MultiSecret operator that is killed", () => {
  it("goes on where it was, and makes no copy twice", async ({ team }) => {
    const first = await team.startOperator();
    await Promise.all(names.map((name) => team.create(name, { stringData: { name } })));
    await expect.poll(async () => (await team.writes()).length, patience).toBeGreaterThan(20);
    await first.kill();
    await team.startOperator();
    for (const name of names) {
      expect((await team.ready(name)).status).toMatchObject({ wanted: 3, created: 3 });
      for (const namespace of await team.holders(name)) expect(await team.content(name, namespace)).toEqual({ name });
    }
    expect((await team.writes()).filter((write) => /^(delete|update) secrets/.test(write))).toEqual([]);
  });

  it("leaves no copy behind where it was killed while it cleaned up", async ({ team }) => {
    const first = await team.startOperator();
    await Promise.all(names.map((name) => team.create(name)));
    await Promise.all(names.map((name) => team.ready(name)));
    const deleted = async () => (await team.writes()).filter((write) => write.startsWith("delete secrets"));
    await Promise.all(names.map((name) => team.client.delete(MultiSecret, team.key(name))));
    await expect.poll(deleted, patience).not.toEqual([]);
    await first.kill();
    await team.startOperator();
    await Promise.all(names.map((name) => team.gone(name)));
    for (const name of names) expect(await team.holders(name)).toEqual([]);
  });

  it("writes nothing when it starts and there is nothing to do", async ({ team }) => {
    const first = await team.startOperator();
    await Promise.all(names.map((name) => team.create(name)));
    await Promise.all(names.map((name) => team.ready(name)));
    await first.kill();
    const before = await team.writes();
    await team.startOperator();
    // It takes objects in turn, and this one comes last.
    await team.create("last");
    await team.ready("last");
    const since = (await team.writes()).slice(before.length);
    expect(since.filter((write) => !/ last\b/.test(write) && !write.includes("events"))).toEqual([]);
  });

  it("repairs what went wrong while it was away", async ({ team }) => {
    const first = await team.startOperator();
    await team.create("sample", { stringData: { user: "me" } });
    await team.ready("sample");
    await first.kill();
    await team.editCopy("sample", team.near, { data: { user: "b3RoZXI=" } });
    await team.createNamespace(team.late);
    await team.edit("sample", { spec: { stringData: { user: "you" } } });
    await team.startOperator();
    expect((await team.ready("sample")).status).toMatchObject({ wanted: 4, created: 4 });
    for (const namespace of team.namespaces) expect(await team.content("sample", namespace)).toEqual({ user: "you" });
  });

  it("ends by itself, with exit code 0, when it is asked to", async ({ team }) => {
    const operator = await team.startOperator();
    expect(await operator.stop()).toBe("exit code 0");
  });
});
