import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditEvents } from "@trimtab/envtest/vitest";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { it, main } from "./toy.ts";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the operator until it ends by itself. */
function endOf(flags: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const args = ["--conditions=@trimtab/source", main, ...flags];
    const child = execFile(process.execPath, args, { env, timeout: 30_000 }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

describe("an operator that is called wrongly", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "toy-"));
    await writeFile(join(folder, "torn"), "apiVersion: v1\nusers: [{user: {token: hunter2");
    await writeFile(join(folder, "empty"), "apiVersion: v1\nkind: Config\n");
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.for([
    [
      ["--metrics-bind-adress=:1"],
      "unknown flag --metrics-bind-adress: did you mean --metrics-bind-address?; --help lists all",
    ],
    [["--leader-elect=perhaps"], 'flag --leader-elect must be true or false, not "perhaps"'],
    [["--health-probe-bind-address=8081"], "flag --health-probe-bind-address must be an address such as :8081"],
    [["--max-concurrent-reconciles=0"], 'flag --max-concurrent-reconciles must be a number from 1, not "0"'],
    [
      ["--log-level=loud"],
      'flag --log-level must be one of trace, debug, info, warn, error, fatal, silent, not "loud"',
    ],
    [["start"], 'unexpected argument "start": there are only flags'],
    [["--kubeconfig=/nowhere/at/all"], "cannot read the kubeconfig /nowhere/at/all"],
    [["--kubeconfig"], "flag --kubeconfig needs a value"],
  ] as const)("ends with 2 and one clear line: %j", async ([flags, line]) => {
    const { code, stdout, stderr } = await endOf(flags);
    expect(stderr).toMatch(/^toy-operator: [^\n]+\n$/);
    expect(stderr).toContain(line);
    expect([code, stdout]).toEqual([2, ""]);
  });

  it("tells what is wrong with a kubeconfig, and nothing of what it holds", async () => {
    const torn = await endOf([`--kubeconfig=${join(folder, "torn")}`]);
    expect(torn.stderr).toMatch(/^toy-operator: [^\n]*is not a kubeconfig[^\n]*\n$/);
    expect(torn.stderr).not.toContain("hunter2");
    const empty = await endOf([`--kubeconfig=${join(folder, "empty")}`]);
    expect(empty.stderr).toMatch(/^toy-operator: [^\n]*has no current-context[^\n]*\n$/);
    expect([torn.code, empty.code]).toEqual([2, 2]);
  });

  it("needs to know which context", async ({ playground }) => {
    const { code, stderr } = await endOf([`--kubeconfig=${playground.kubeconfigPath}`, "--context=elsewhere"]);
    expect(stderr).toMatch(/^toy-operator: [^\n]*has no context "elsewhere"\n$/);
    expect(code).toBe(2);
  });

  it("needs to know in which namespace to lead", async ({ playground }) => {
    const flags = [`--kubeconfig=${playground.kubeconfigPath}`, "--leader-elect", "--health-probe-bind-address=0"];
    const { code, stderr } = await endOf(flags);
    expect(stderr).toMatch(/^toy-operator: --leader-elect outside of a pod needs --leader-election-namespace[^\n]*\n$/);
    expect(code).toBe(2);
  });
});

describe("an operator that is asked about itself", () => {
  it("lists its flags", async () => {
    const { code, stdout } = await endOf(["--help"]);
    for (const flag of [
      "kubeconfig",
      "context",
      "namespaces",
      "metrics-bind-address",
      "metrics-secure",
      "metrics-cert-path",
      "health-probe-bind-address",
      "leader-elect",
      "leader-election-namespace",
      "log-level",
      "log-format",
      "max-concurrent-reconciles",
      "help",
      "version",
    ])
      expect(stdout).toContain(`--${flag}`);
    expect(code).toBe(0);
  });

  it("tells its version", async () => {
    expect(await endOf(["--version"])).toEqual({ code: 0, stdout: "toy-operator 1.2.3\n", stderr: "" });
  });
});

describe("an operator in its environment", () => {
  it("takes each flag from a variable too, and the flag before the variable", async () => {
    expect(await endOf([], { TRIMTAB_VERSION: "true" })).toMatchObject({ code: 0, stdout: "toy-operator 1.2.3\n" });
    const { stderr } = await endOf(["--log-level=info"], { TRIMTAB_LOG_LEVEL: "loud", TRIMTAB_LOG_FORMAT: "xml" });
    expect(stderr).toContain('flag --log-format must be one of json, pretty, not "xml"');
  });

  it("looks after the namespaces that WATCH_NAMESPACE names, and asks for no others", async ({ playground }) => {
    const env = { WATCH_NAMESPACE: `${playground.namespace}, default` };
    const toy = await playground.start({ confined: false, env });
    expect((await toy.said(/^starting$/))["namespaces"]).toEqual([playground.namespace, "default"]);
    await playground.ask("one");
    await playground.copied("one");
    const asked = (await auditEvents()).filter(({ userAgent }) => userAgent?.startsWith("toy-operator/"));
    expect(asked.filter(({ objectRef }) => objectRef?.namespace === undefined)).toEqual([]);
  });

  it("tells the API server who it is, with each request", async ({ playground }) => {
    await playground.start();
    await playground.ask("one");
    await playground.copied("one");
    const inNamespace = (await auditEvents()).filter(({ objectRef }) => objectRef?.namespace === playground.namespace);
    const agents = new Set(inNamespace.map(({ userAgent }) => userAgent));
    const [architecture] = { x64: ["amd64"], arm64: ["arm64"] }[process.arch as string] ?? [process.arch];
    expect(agents).toContain(`toy-operator/1.2.3 (${process.platform}/${architecture}) trimtab`);
  });
});

describe("an operator that ends", () => {
  it("exits with 0 when it is asked to stop", async ({ playground }) => {
    const toy = await playground.start();
    expect(await toy.process.stop()).toBe("exit code 0");
    expect((await toy.log()).map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(["stopping: no more work is taken", "stopped"]),
    );
  });

  it("lets the reconcile that is under way end, and takes no more", async ({ playground }) => {
    const toy = await playground.start({ flags: ["--max-concurrent-reconciles=1"] });
    await playground.ask("slow", "takeTwoSeconds");
    await toy.said(/^begins$/);
    await playground.ask("late");
    expect(await toy.process.stop()).toBe("exit code 0");
    const said = (await toy.log()).map(({ msg }) => msg);
    expect(said.slice(said.indexOf("stopping: no more work is taken"))).toEqual([
      "stopping: no more work is taken",
      "ends",
      "stopped",
    ]);
  });

  it("sends the events that wait before it does", async ({ playground }) => {
    const names = Array.from({ length: 40 }, (_, index) => `many-${index}`);
    const toy = await playground.start();
    await Promise.all(names.map((name) => playground.ask(name)));
    await Promise.all(names.map((name) => playground.copied(name)));
    expect(await toy.process.stop()).toBe("exit code 0");
    const events = (await playground.kubectl("get", "events", "--output=name")).trim().split("\n");
    expect(events).toHaveLength(names.length);
  });

  it("exits at once, and not with 0, when it is asked a second time", async ({ playground }) => {
    const toy = await playground.start();
    await playground.ask("slow", "neverEnd");
    await toy.said(/^begins$/);
    process.kill(toy.process.pid, "SIGINT");
    await toy.said(/^stopping/);
    const askedMs = performance.now();
    process.kill(toy.process.pid, "SIGINT");
    expect(await toy.process.exited).toBe("exit code 130");
    expect(performance.now() - askedMs).toBeLessThan(1_000);
  });

  it("exits with 0 when it is asked to stop while it starts", async ({ playground }) => {
    const toy = await playground.start({ awaitReady: false });
    await toy.said(/^starting$/);
    expect(await toy.process.stop()).toBe("exit code 0");
  });

  it("logs what nobody has caught, with its stack, ends in order and exits with 1", async ({ playground }) => {
    const toy = await playground.start();
    await playground.ask("wild", "rejectUnheard");
    expect(await toy.process.exited).toBe("exit code 1");
    const line = await toy.said(/nobody caught this/);
    expect(line).toMatchObject({ level: "fatal", err: { message: "nobody hears this" } });
    expect((line["err"] as { stack: string }).stack).toContain("controllers.ts");
    await toy.said(/^stopped$/);
  });

  it("exits with 1 when it cannot listen", async ({ playground }) => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const flags = [`--kubeconfig=${playground.kubeconfigPath}`, `--health-probe-bind-address=127.0.0.1:${port}`];
    const { code, stdout } = await endOf(flags);
    server.close();
    expect(stdout).toContain(`cannot serve health on 127.0.0.1:${port}`);
    expect(code).toBe(1);
  });

  it("gives up reconciles that never end, within half a minute, and exits with 0", { timeout: 60_000 }, async ({
    playground,
  }) => {
    const toy = await playground.start();
    await playground.ask("stuck", "neverEnd");
    await toy.said(/^begins$/);
    const askedMs = performance.now();
    expect(await toy.process.stop()).toBe("exit code 0");
    expect(performance.now() - askedMs).toBeLessThan(30_000);
    expect(await toy.said(/leaving reconciles behind/)).toMatchObject({
      err: { message: expect.stringContaining(`${playground.namespace}/stuck`) },
    });
  });
});
