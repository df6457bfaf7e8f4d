import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readControlPlaneModule } from "./control-plane-module.ts";
import { type FindProgramsOptions, findPrograms } from "./find-programs.ts";
import { programNames } from "./program-name.ts";
import type { ReleaseSites } from "./released-programs.ts";

const run = promisify(execFile);
const hashOf = (algorithm: string, bytes: Buffer | string): string => createHash(algorithm).update(bytes).digest("hex");

let directory: string;
let site: Server;
/** What the download sites hold, by path; what is not there is a 404. */
let files: Map<string, Buffer | string>;
let sites: ReleaseSites;
let lines: string[];

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "find-programs-")));
  await mkdir(join(directory, "bin"));
  files = new Map();
  site = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    response.writeHead(file === undefined ? 404 : 200).end(file);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  sites = { index: `${url}/index.yaml`, kubernetes: `${url}/release` };
  lines = [];
});

afterEach(async () => {
  site.closeAllConnections();
  site.close();
  await rm(directory, { recursive: true, force: true });
});

async function options(env: Record<string, string> = {}): Promise<FindProgramsOptions> {
  return {
    env: { XDG_CACHE_HOME: join(directory, "cache"), PATH: `${join(directory, "bin")}:/bin:/usr/bin`, ...env },
    sites,
    module: await testModule(),
    packageFolder: join(directory, "package"),
    onProgress: (line) => lines.push(line),
  };
}

async function testModule(): Promise<Awaited<ReturnType<typeof readControlPlaneModule>>> {
  const path = join(directory, "module");
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "go.mod"), "module test\n\nrequire k8s.io/kubernetes v1.37.1\n");
  return readControlPlaneModule(path);
}

async function program(path: string, script: string): Promise<string> {
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

/** A Go that says what Go says, and builds a program that names itself; it counts its builds. */
async function installGo(
  build = 'echo example.com/one; echo example.com/two; printf "#!/bin/sh\\necho built" > "$6"',
): Promise<void> {
  await program(
    join(directory, "bin", "go"),
    `case $1 in
      list) echo "go: downloading example.com/one v1.0.0"; echo "package cache"; echo "package stale dependency"; echo "package build ID mismatch";;
      build) echo built >> ${directory}/builds; ${build}; chmod +x "$6";;
    esac`,
  );
}

async function builds(): Promise<number> {
  return (await readFile(join(directory, "builds"), "utf8").catch(() => "")).split("\n").length - 1;
}

/** Puts an archive and a controller manager of a version on the sites. */
async function release(version: string): Promise<void> {
  const platform = `linux-${process.arch === "x64" ? "amd64" : process.arch}`;
  const envtest = join(directory, "controller-tools", "envtest");
  await mkdir(envtest, { recursive: true });
  for (const name of ["etcd", "kube-apiserver", "kubectl"])
    await program(join(envtest, name), `echo released ${version}`);
  const archive = join(directory, "envtest.tar.gz");
  await run("tar", ["-czf", archive, "-C", directory, "controller-tools"]);
  const bytes = await readFile(archive);
  const name = `envtest-${version}-${platform}.tar.gz`;
  const selfLink = `${dirname(sites.index)}/${name}`;
  files.set(`/${name}`, bytes);
  files.set(
    "/index.yaml",
    `releases:\n  ${version}:\n    ${name}:\n      hash: ${hashOf("sha512", bytes)}\n      selfLink: ${selfLink}\n`,
  );
  const manager = `/release/${version}/bin/${platform.replace("-", "/")}/kube-controller-manager`;
  files.set(manager, "#!/bin/sh\necho released\n");
  files.set(`${manager}.sha256`, `${hashOf("sha256", "#!/bin/sh\necho released\n")}\n`);
}

describe("findPrograms", () => {
  it("takes the programs of the folder that KUBEBUILDER_ASSETS names, and asks nobody", async () => {
    const assets = join(directory, "assets");
    await mkdir(assets);
    for (const name of programNames) await program(join(assets, name), "");
    const programs = await findPrograms(await options({ KUBEBUILDER_ASSETS: assets }));
    expect(programs).toEqual(Object.fromEntries(programNames.map((name) => [name, join(assets, name)])));
    expect(lines).toEqual([]);
  });

  it("adds what the folder of KUBEBUILDER_ASSETS lacks", async () => {
    const assets = join(directory, "assets");
    await mkdir(assets);
    for (const name of ["etcd", "kube-apiserver", "kubectl"]) await program(join(assets, name), "");
    await installGo();
    const programs = await findPrograms(await options({ KUBEBUILDER_ASSETS: assets }));
    expect(programs.etcd).toBe(join(assets, "etcd"));
    expect((await run(programs["kube-controller-manager"])).stdout).toBe("built\n");
  });

  it("needs no kube-controller-manager where none is asked for", async () => {
    const assets = join(directory, "assets");
    await mkdir(assets);
    const names = ["etcd", "kube-apiserver", "kubectl"] as const;
    for (const name of names) await program(join(assets, name), "");
    await findPrograms({ ...(await options({ KUBEBUILDER_ASSETS: assets })), names });
    expect(lines).toEqual([]);
  });

  it("downloads released binaries whose checksums hold, once", async () => {
    await release("v1.37.1");
    const programs = await findPrograms(await options());
    for (const name of programNames) expect((await run(programs[name])).stdout).toMatch(/^released/);
    files.clear();
    expect(await findPrograms(await options())).toEqual(programs);
  });

  it("takes the newest release of the same minor where the very version has none", async () => {
    await release("v1.37.0");
    const programs = await findPrograms(await options());
    expect((await run(programs.etcd)).stdout).toBe("released v1.37.0\n");
  });

  it("takes no binary whose checksum does not hold", async () => {
    await release("v1.37.1");
    await installGo();
    for (const [path, bytes] of files) {
      if (path.endsWith(".tar.gz")) files.set(path, Buffer.concat([bytes as Buffer, Buffer.from("more")]));
    }
    const programs = await findPrograms(await options());
    expect((await run(programs.etcd)).stdout).toBe("built\n");
  });

  it("takes no controller manager whose checksum does not hold", async () => {
    await release("v1.37.1");
    for (const path of files.keys()) if (path.endsWith("kube-controller-manager")) files.set(path, "another");
    await expect(findPrograms(await options())).rejects.toThrow(
      /kube-controller-manager is not what it should be: its sha256/,
    );
  });

  it("goes on to the build if a site does not answer in time", async () => {
    await installGo();
    site.removeAllListeners("request");
    const programs = await findPrograms({ ...(await options()), patienceMs: 50 });
    expect((await run(programs.kubectl)).stdout).toBe("built\n");
  });

  it("goes on to the build if a download falls silent half-way", async () => {
    await release("v1.37.1");
    await installGo();
    site.prependListener("request", (request, response) => {
      if (!request.url?.endsWith(".tar.gz")) return;
      response.writeHead = () => response;
      response.end = () => response;
      response.setHeader("content-length", 1_000_000);
      response.write("only the beginning");
    });
    const programs = await findPrograms({ ...(await options()), patienceMs: 200 });
    expect((await run(programs.kubectl)).stdout).toBe("built\n");
  });

  it("says how many packages of how many a build has done, those of earlier builds included", async () => {
    await installGo();
    await findPrograms(await options());
    expect(lines).toContainEqual(expect.stringMatching(/^building the control plane: 1 of 3 packages, \d+ s$/));
    expect(lines.at(-1)).toMatch(/^building the control plane: linking, \d+ s$/);
  });

  it("builds once for all who ask at the same time, and tells each of them the progress", async () => {
    await installGo('echo example.com/one; sleep 1.5; printf "#!/bin/sh\\necho built" > "$6"');
    const heard: string[][] = [[], [], []];
    const asked = await options();
    await Promise.all(heard.map((own) => findPrograms({ ...asked, onProgress: (line) => own.push(line) })));
    expect(await builds()).toBe(1);
    for (const own of heard) expect(own).toContainEqual(expect.stringMatching(/^building the control plane: 2 of 3/));
  });

  it("puts nothing in place of what a failed build has left, and the next one starts afresh", async () => {
    await installGo('echo "# example.com/one"; echo "one.go:1: no such thing"; exit 1');
    const failed = findPrograms(await options());
    await expect(failed).rejects.toThrow("one.go:1: no such thing");
    expect(
      (await readdir(join(directory, "cache", "trimtab", "control-plane"))).filter((name) => !name.endsWith(".lock")),
    ).toEqual([]);
    await installGo();
    expect((await run((await findPrograms(await options())).etcd)).stdout).toBe("built\n");
  });

  it("ends the build when the signal aborts", async () => {
    await installGo("sleep 1000");
    const stop = new AbortController();
    const onProgress = (line: string): void => {
      if (line.startsWith("building")) stop.abort(new Error("enough"));
    };
    await expect(findPrograms({ ...(await options()), onProgress, signal: stop.signal })).rejects.toThrow("enough");
  });

  it("lists all that was tried, and says what to install, if there is no way", async () => {
    for (const name of ["sh", "cat"]) await symlink(`/bin/${name}`, join(directory, "bin", name));
    const asked = await options({
      PATH: join(directory, "bin"),
      KUBEBUILDER_ASSETS: join(directory, "nowhere"),
    });
    const error = await findPrograms(asked).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as Error).message).toBe(`no control plane of Kubernetes v1.37.1 can be had; tried
  KUBEBUILDER_ASSETS: not all are in ${directory}/nowhere
  the platform package: ${directory}/package holds no programs
  the cache: not all are in ${directory}/cache/trimtab/control-plane/${asked.module?.key}
  released binaries: cannot download ${sites.index}: it answers 404
  a build from Go modules: there is no go on the PATH
install Go 1.26 or newer (https://go.dev/dl), or put etcd, kube-apiserver, kube-controller-manager and kubectl into a folder and name it in KUBEBUILDER_ASSETS`);
  });
});
