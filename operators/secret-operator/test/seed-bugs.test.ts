import { Namespace, Secret } from "@trimtab/apimachinery";
import { describe, expect } from "vitest";
import { MultiSecret } from "../src/api/v1alpha1/multisecret.ts";
import { it, patience } from "./team.ts";

const finalizer = "multisecrets.multi.ddnw.ml/finalizer";

describe("MultiSecret", () => {
  it("has a copy in every namespace, its own included, each made by one write of one run", async ({ team }) => {
    await team.create("sample", { data: { token: "dG9rZW4=" }, stringData: { user: "me" }, type: "Opaque" });
    await team.startOperator();
    const { status } = await team.ready("sample");
    expect(status).toMatchObject({ wanted: 3, created: 3, observedGeneration: 1 });
    expect(await team.holders("sample")).toEqual([team.home, team.near, team.far]);
    for (const namespace of [team.home, team.near, team.far]) {
      expect(await team.content("sample", namespace)).toEqual({ token: "token", user: "me" });
    }
    const create = `create secrets sample.${team.home}.multisec`;
    expect((await team.writes()).filter((write) => !write.includes("events"))).toEqual([
      "patch multisecrets sample",
      ...Array(3).fill(create),
      "update multisecrets/status sample",
    ]);
  });

  it.for([
    ["a value", { stringData: { user: "other" } }, { user: "other", token: "token" }],
    ["another key", { stringData: { more: "1" } }, { user: "me", token: "token", more: "1" }],
    ["a key less", { data: null }, { user: "me" }],
    ["text before bytes", { stringData: { token: "text" } }, { user: "me", token: "text" }],
  ] as const)("passes on %s of its spec", async ([, spec, content], { team }) => {
    await team.create("sample", { data: { token: "dG9rZW4=" }, stringData: { user: "me" } });
    await team.startOperator();
    await team.ready("sample");
    const before = await team.copy("sample", team.far);
    await team.edit("sample", { spec });
    await team.ready("sample");
    for (const namespace of [team.home, team.near, team.far]) {
      expect(await team.content("sample", namespace)).toEqual(content);
    }
    // An update, not another Secret.
    expect((await team.copy("sample", team.far))?.metadata.uid).toBe(before?.metadata.uid);
    const updates = (await team.writes()).filter((write) => write.startsWith("update secrets"));
    expect(updates).toHaveLength(3);
  });

  it("makes other Secrets where their type is to be another, which Kubernetes never changes", async ({ team }) => {
    await team.create("sample", { stringData: { username: "me", password: "it" } });
    await team.startOperator();
    await team.ready("sample");
    await team.edit("sample", { spec: { type: "kubernetes.io/basic-auth" } });
    await team.ready("sample");
    expect((await team.copy("sample", team.near))?.type).toBe("kubernetes.io/basic-auth");
    expect(await team.content("sample", team.near)).toEqual({ username: "me", password: "it" });
  });

  it("makes another Secret where somebody has made the old one immutable", async ({ team }) => {
    await team.create("sample");
    await team.startOperator();
    await team.ready("sample");
    await team.editCopy("sample", team.near, { immutable: true });
    await team.edit("sample", { spec: { stringData: { user: "other" } } });
    await team.ready("sample");
    expect(await team.content("sample", team.near)).toEqual({ user: "other" });
  });

  it.for([
    ["a changed value", { data: { user: "b3RoZXI=" } }],
    ["a key too many", { data: { more: "b3RoZXI=" } }],
    ["a key too few", { data: { user: null } }],
    ["a lost owner label", { metadata: { labels: { "multisecrets.multi.ddnw.ml/owner-uid": null } } }],
    ["lost annotations", { metadata: { annotations: null } }],
    ["a changed label", { metadata: { labels: { team: "b" } } }],
  ] as const)("repairs a copy with %s", async ([, patch], { team }) => {
    await team.create("sample", { stringData: { user: "me" } }, { labels: { team: "a" } });
    await team.startOperator();
    await team.ready("sample");
    const before = await team.copy("sample", team.near);
    await team.editCopy("sample", team.near, patch);
    const state = async () => {
      const { data, metadata } = (await team.copy("sample", team.near)) ?? {};
      return { data, labels: metadata?.labels, annotations: metadata?.annotations, uid: metadata?.uid };
    };
    const { data, metadata } = before ?? {};
    const { labels, annotations, uid } = metadata ?? {};
    await expect.poll(state, patience).toEqual({ data, labels, annotations, uid });
  });

  it("makes a copy anew that is deleted, and never a second", async ({ team }) => {
    await team.create("sample");
    await team.startOperator();
    await team.ready("sample");
    await team.client.delete(Secret, team.copyKey("sample", team.near));
    await expect.poll(() => team.holders("sample"), patience).toEqual([team.home, team.near, team.far]);
    expect((await team.ready("sample")).status).toMatchObject({ wanted: 3, created: 3 });
  });

  it("deletes its copies with it, then lets go of it, and writes nothing to it after that", async ({ team }) => {
    await team.create("sample");
    const operator = await team.startOperator();
    expect((await team.ready("sample")).metadata.finalizers).toEqual([finalizer]);
    await team.client.delete(MultiSecret, team.key("sample"));
    await team.gone("sample");
    expect(await team.holders("sample")).toEqual([]);
    const writes = (await team.writes()).filter((write) => !write.includes("events"));
    const name = `sample.${team.home}.multisec`;
    expect(writes.slice(-4)).toEqual([...Array(3).fill(`delete secrets ${name}`), "patch multisecrets sample"]);
    expect((await operator.log()).filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it("counts all namespaces before it writes its status, and tells of a change only where there is one", async ({
    team,
  }) => {
    await team.startOperator();
    await team.create("sample");
    const first = await team.ready("sample");
    expect(first.status?.change_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const updates = async () => (await team.writes()).filter((write) => write === "update multisecrets/status sample");
    expect(await updates()).toHaveLength(1);

    await team.edit("sample", { metadata: { annotations: { "their.tool/note": "nothing of ours" } } });
    await team.create("another");
    await team.ready("another");
    expect(await updates()).toHaveLength(1);
    expect((await team.multiSecret("sample")).status).toEqual(first.status);

    // RFC 3339 to the second.
    await expect
      .poll(() => new Date().toISOString().slice(0, 19), patience)
      .not.toBe(first.status?.change_time?.slice(0, 19));
    await team.edit("sample", { spec: { stringData: { user: "other" } } });
    await expect
      .poll(async () => (await team.multiSecret("sample")).status?.change_time, patience)
      .not.toBe(first.status?.change_time);
  });

  it("tells apart two MultiSecrets whose copies would have the same name, and those with long names", async ({
    team,
  }) => {
    await team.startOperator();
    const names = ["a", "a.b", `${"n".repeat(62)}.`.repeat(4).slice(0, 253)].map((name) => name.replace(/\.$/, "x"));
    for (const name of names) await team.create(name, { stringData: { name } });
    for (const name of names) {
      await team.ready(name);
      expect(await team.content(name, team.far)).toEqual({ name });
    }
    expect(new Set(names.map((name) => team.copyKey(name, team.far).name)).size).toBe(names.length);
    expect(team.copyKey("a", team.far).name).toBe(`a.${team.home}.multisec`);
  });

  it("neither counts nor changes nor deletes a Secret of that name that is not its own, and serves the rest", async ({
    team,
  }) => {
    const foreign = await team.foreign("sample", team.near);
    await team.create("sample");
    await team.startOperator();
    const message = await team.unready("sample", "OwnershipConflict");
    expect(message).toBe(
      `2 of 3 namespaces hold the copy that they should; in namespace ${team.near}: a Secret of that name is not this MultiSecret's: it is left alone; delete or rename it to make room`,
    );
    expect((await team.multiSecret("sample")).status).toMatchObject({ wanted: 3, created: 2 });
    expect(await team.content("sample", team.far)).toEqual({ user: "sample" });
    await expect.poll(() => team.events("sample"), patience).toContainEqual(`OwnershipConflict: ${message}`);

    await team.client.delete(MultiSecret, team.key("sample"));
    await team.gone("sample");
    expect(await team.holders("sample")).toEqual([team.near]);
    expect(await team.copy("sample", team.near)).toEqual(foreign);
  });

  it("takes the place of a foreign Secret once that is gone", async ({ team }) => {
    await team.foreign("sample", team.near);
    await team.create("sample");
    await team.startOperator();
    await team.unready("sample", "OwnershipConflict");
    await team.client.delete(Secret, team.copyKey("sample", team.near));
    // Nothing tells the operator of it, but a change of its own object makes it look at once.
    await team.edit("sample", { metadata: { annotations: { look: "again" } } });
    expect((await team.ready("sample")).status).toMatchObject({ wanted: 3, created: 3 });
  });

  it("passes on the user's labels and annotations, and neither what quotes the secret nor what makes it a tool's", async ({
    team,
  }) => {
    await team.create("sample", undefined, {
      labels: { team: "a", "app.kubernetes.io/instance": "argo" },
      annotations: {
        note: "ours",
        "kubectl.kubernetes.io/last-applied-configuration": '{"spec":{"stringData":{"user":"sample"}}}',
        "argocd.argoproj.io/tracking-id": "shop",
      },
    });
    await team.startOperator();
    const { metadata } = await team.ready("sample");
    const copy = (await team.copy("sample", team.near))?.metadata;
    expect(copy?.labels).toEqual({
      team: "a",
      "app.kubernetes.io/managed-by": "secret-operator",
      "multisecrets.multi.ddnw.ml/owner-uid": metadata.uid,
    });
    expect(copy?.annotations).toEqual({
      note: "ours",
      "multisecrets.multi.ddnw.ml/owner": "sample",
      "multisecrets.multi.ddnw.ml/namespace": team.home,
    });

    await team.editCopy("sample", team.near, { metadata: { labels: { theirs: "yes" } } });
    await team.edit("sample", { metadata: { labels: { team: null } } });
    const labels = async () => (await team.copy("sample", team.near))?.metadata.labels;
    await expect.poll(labels, patience).not.toHaveProperty("team");
    expect(await labels()).toHaveProperty("theirs", "yes");
  });

  it("follows the labels of namespaces, those that are new included", async ({ team }) => {
    await team.label(team.near, { tier: "web" });
    await team.create("sample", { namespaceSelector: { matchLabels: { tier: "web" } }, stringData: { a: "1" } });
    await team.startOperator();
    await team.ready("sample");
    expect(await team.holders("sample")).toEqual([team.near]);

    await team.label(team.far, { tier: "web" });
    await expect.poll(() => team.holders("sample"), patience).toEqual([team.near, team.far]);
    await team.label(team.near, { tier: "data" });
    await expect.poll(() => team.holders("sample"), patience).toEqual([team.far]);
    await team.createNamespace(team.late, { tier: "web" });
    await expect.poll(() => team.holders("sample"), patience).toEqual([team.far, team.late]);
    const status = async () => (await team.multiSecret("sample")).status;
    await expect.poll(status, patience).toMatchObject({ wanted: 2, created: 2 });

    await team.edit("sample", {
      spec: { namespaceSelector: { matchLabels: null, matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] } },
    });
    await expect.poll(() => team.holders("sample"), patience).toEqual([team.home]);
  });

  it("wants no copy in a namespace that is being deleted, and does not try again and again", async ({ team }) => {
    await team.create("sample");
    const operator = await team.startOperator();
    await team.ready("sample");
    // What is held keeps the namespace going.
    const held = { namespace: team.near, name: "held" };
    await team.client.create(Secret, { metadata: { ...held, finalizers: ["secret.test/stay"] } });
    await team.client.delete(Namespace, { name: team.near });
    const status = async () => (await team.multiSecret("sample")).status;
    await expect.poll(status, patience).toMatchObject({ wanted: 2, created: 2 });
    await expect.poll(() => team.holders("sample"), patience).toEqual([team.home, team.far]);
    await team.create("another");
    expect((await team.ready("another")).status).toMatchObject({ wanted: 2, created: 2 });

    const refused = (await team.writes()).filter((write) => write.endsWith("403"));
    // At most one before the operator hears of it.
    expect(refused.length).toBeLessThanOrEqual(1);
    await team.client.mergePatch(Secret, held, { metadata: { finalizers: null } });
    const reason = () => team.client.get(Namespace, { name: team.near }).catch(({ reason }) => reason);
    await expect.poll(reason, patience).toBe("NotFound");
    expect((await operator.log()).filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it("says which quota is in the way, where, and what to do, and serves the rest", async ({ team }) => {
    await team.quota({ secrets: "0" }, team.near);
    await team.create("sample");
    await team.startOperator();
    const message = await team.unready("sample", "QuotaExceeded");
    expect(message).toMatch(
      new RegExp(
        `^2 of 3 .*; in namespace ${team.near}: exceeded quota: quota.*: make room, or have the quota raised$`,
      ),
    );
    expect(await team.holders("sample")).toEqual([team.home, team.far]);
    await expect.poll(() => team.events("sample"), patience).toContainEqual(`QuotaExceeded: ${message}`);
  });

  it("says which fields make it no Secret anywhere, and does not try again", async ({ team }) => {
    await team.create("sample", { stringData: { "tls.crt": "hunter2" }, type: "kubernetes.io/tls" });
    const operator = await team.startOperator();
    expect(await team.unready("sample", "Invalid")).toMatch(
      /no such Secret, because of data\[tls\.key\]: change the MultiSecret's spec/,
    );
    expect(await team.holders("sample")).toEqual([]);
    const tries = async () => (await team.writes()).filter((write) => /^create secrets .*422$/.test(write)).length;
    const serve = async (name: string) => {
      await team.create(name);
      await team.ready(name);
    };
    // The first makes sure that all has happened which the start brings with it.
    await serve("one");
    const tried = await tries();
    expect(tried).toBeGreaterThan(0);
    await serve("two");
    await serve("three");
    expect(await tries()).toBe(tried);
    await team.edit("sample", { spec: { stringData: { "tls.key": "k" } } });
    await team.ready("sample");
    const { status } = await team.multiSecret("sample");
    const told = JSON.stringify([status, await team.events("sample"), await operator.log()]);
    expect(told).not.toContain("hunter2");
  });

  it("tells nothing of the secret in logs, events, status, nor in what describes a copy", async ({ team }) => {
    const password = "correct-horse-battery";
    const base64 = Buffer.from(password).toString("base64");
    await team.foreign("sample", team.near);
    await team.create("sample", { stringData: { password } });
    const operator = await team.startOperator();
    await team.unready("sample", "OwnershipConflict");
    await team.editCopy("sample", team.far, { data: { password: "YQ==" } });
    await expect.poll(() => team.content("sample", team.far), patience).toEqual({ password });
    await expect.poll(() => team.events("sample"), patience).toContainEqual(expect.stringMatching(/^Updated: /));
    const { status } = await team.multiSecret("sample");
    const { data: _, ...copy } = (await team.copy("sample", team.far)) ?? {};
    const told = JSON.stringify([status, await team.events("sample"), await operator.log(), copy]);
    expect(told).not.toContain(password);
    expect(told).not.toContain(base64);
  });

  it("deletes a copy whose MultiSecret is gone without a chance to clean up", async ({ team }) => {
    const first = await team.startOperator();
    await team.create("sample");
    await team.ready("sample");
    await first.kill();
    await team.edit("sample", { metadata: { finalizers: null } });
    await team.client.delete(MultiSecret, team.key("sample"));
    expect(await team.holders("sample")).toHaveLength(3);
    const second = await team.startOperator();
    await expect.poll(() => team.holders("sample"), patience).toEqual([]);

    await team.create("sample");
    await team.ready("sample");
    await team.edit("sample", { metadata: { finalizers: null } });
    await team.client.delete(MultiSecret, team.key("sample"));
    await expect.poll(() => team.holders("sample"), patience).toEqual([]);
    expect((await second.log()).filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it("takes over the copies of one that bore its name before", async ({ team }) => {
    const first = await team.startOperator();
    await team.create("sample");
    await team.ready("sample");
    const before = await team.copy("sample", team.near);
    await first.kill();
    await team.edit("sample", { metadata: { finalizers: null } });
    await team.client.delete(MultiSecret, team.key("sample"));
    const { metadata } = await team.create("sample", { stringData: { user: "new" } });
    await team.startOperator();
    await team.ready("sample");
    for (const namespace of [team.home, team.near, team.far]) {
      expect((await team.copy("sample", namespace))?.metadata.labels).toMatchObject({
        "multisecrets.multi.ddnw.ml/owner-uid": metadata.uid,
      });
      expect(await team.content("sample", namespace)).toEqual({ user: "new" });
    }
    expect((await team.copy("sample", team.near))?.metadata.resourceVersion).not.toBe(before?.metadata.resourceVersion);
  });

  it("leaves alone what somebody has made of a copy under another name", async ({ team }) => {
    await team.startOperator();
    await team.create("sample");
    await team.ready("sample");
    const { metadata, data } = (await team.copy("sample", team.near)) ?? {};
    const { labels = {}, annotations = {} } = metadata ?? {};
    const clone = { namespace: team.near, name: "clone" };
    await team.client.create(Secret, { metadata: { ...clone, labels, annotations }, data: { ...data } });
    await team.client.delete(MultiSecret, team.key("sample"));
    await team.gone("sample");
    await team.create("another");
    await team.ready("another");
    expect(await team.client.get(Secret, clone)).toMatchObject({ data });
  });
});
