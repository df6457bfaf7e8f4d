import { describe, expect } from "vitest";
import { Account, readConfigMaps, readSecrets, writeEvents, writeSecrets } from "./account.ts";
import { it, patience } from "./toy.ts";

describe("an operator that lacks an RBAC rule", () => {
  it("names the rule in the log and in readyz, and goes on by itself once it is granted", async ({ playground }) => {
    const account = await Account.open(playground);
    await account.grant(readConfigMaps, writeSecrets, writeEvents);
    await playground.ask("one");
    const { kubeconfigPath } = account;
    const toy = await playground.start({ kubeconfigPath, awaitReady: false });
    const rule =
      `system:serviceaccount:${playground.namespace}:operator may not watch secrets in the namespace ${playground.namespace}: ` +
      'grant it {"apiGroups":[""],"resources":["secrets"],"verbs":["watch"]} by a Role there';
    const line = await toy.said(/may not (list|watch) secrets/);
    expect(line).toMatchObject({ level: "error", msg: rule, resource: "secrets", namespace: playground.namespace });

    const unready = await toy.probe("/readyz?verbose");
    expect(unready.status).toBe(500);
    expect(unready.body).toContain(`[+]cache:configmaps@${playground.namespace} ok\n`);
    expect(unready.body).toContain(`[-]cache:secrets@${playground.namespace} failed: ${rule}`);
    expect((await toy.probe(`/readyz/cache:configmaps@${playground.namespace}`)).status).toBe(200);
    expect((await toy.probe("/healthz")).status).toBe(200);

    await account.grant(readConfigMaps, readSecrets, writeSecrets, writeEvents);
    await playground.copied("one");
    expect(await toy.probe("/readyz")).toEqual({ status: 200, body: "ok" });
    await toy.said(/the watch is well again/);
  });

  it("keeps its other controllers at work", async ({ playground }) => {
    const account = await Account.open(playground);
    await account.grant(readConfigMaps, readSecrets, writeSecrets, writeEvents);
    await playground.ask("one");
    const { kubeconfigPath } = account;
    const toy = await playground.start({ kubeconfigPath, awaitReady: false, env: { TOY_GREETS: "1" } });
    await toy.said(/may not watch greetings.toy.trimtab.example in the namespace/);
    await playground.copied("one");
  });

  it("notices one that is taken from it, and tells so", async ({ playground }) => {
    const account = await Account.open(playground);
    await account.grant(readConfigMaps, readSecrets, writeSecrets, writeEvents);
    const toy = await playground.start({ kubeconfigPath: account.kubeconfigPath });
    await account.grant(readConfigMaps, readSecrets, writeEvents);
    await playground.ask("one");
    const line = await toy.said(/may not create secrets in the namespace/);
    expect(line).toMatchObject({ controller: "configmap", name: "one", namespace: playground.namespace });
    await expect
      .poll(async () => (await toy.probe("/readyz?verbose")).body, patience)
      .toContain("may not create secrets");
    expect((await toy.probe("/readyz")).status).toBe(200);
    await account.grant(readConfigMaps, readSecrets, writeSecrets, writeEvents);
    await playground.copied("one", 35_000);
  });

  it("tells that it may not write events, once, and does its work all the same", async ({ playground }) => {
    const account = await Account.open(playground);
    await account.grant(readConfigMaps, readSecrets, writeSecrets);
    const toy = await playground.start({ kubeconfigPath: account.kubeconfigPath });
    for (const name of ["one", "two", "three"]) await playground.ask(name);
    for (const name of ["one", "two", "three"]) await playground.copied(name);
    await toy.said(/may not create events.events.k8s.io in the namespace .*: grant it/);
    expect((await toy.probe("/readyz?verbose")).body).toMatch(/ok, but .* may not create events.events.k8s.io/);
    await toy.process.stop();
    expect((await toy.log()).filter(({ msg }) => msg.includes("may not create events"))).toHaveLength(1);
  });

  it("names the rule for the lease", async ({ playground }) => {
    const account = await Account.open(playground);
    await account.grant(readConfigMaps, readSecrets, writeSecrets, writeEvents);
    const flags = ["--leader-elect", `--leader-election-namespace=${playground.namespace}`];
    const toy = await playground.start({ kubeconfigPath: account.kubeconfigPath, flags, awaitReady: false });
    await toy.said(/may not get leases.coordination.k8s.io in the namespace .*: grant it/);
    expect((await toy.probe("/readyz?verbose")).body).toMatch(/\[-\]lease failed: .* may not get leases/);
  });
});
