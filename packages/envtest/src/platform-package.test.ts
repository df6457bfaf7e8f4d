import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FindProgramsOptions, findPrograms } from "./find-programs.ts";
import { programNames } from "./program-name.ts";

const module = { directory: "/nowhere", version: "v1.37.1", key: "v1.37.1-linux-x64-0123456789ab" };
let directory: string;
/** Where nothing can be downloaded or built, and nothing is cached. */
let options: FindProgramsOptions & { readonly packageFolder: string };

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "platform-package-"));
  const env = { XDG_CACHE_HOME: join(directory, "cache"), PATH: "" };
  const sites = { index: "http://127.0.0.1:1/index.yaml", kubernetes: "http://127.0.0.1:1" };
  options = { env, sites, module, packageFolder: join(directory, "package") };
});

afterEach(() => rm(directory, { recursive: true, force: true }));

async function program(folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), "#!/bin/sh\n");
  await chmod(join(folder, name), 0o755);
  return join(folder, name);
}

/** Puts a platform package where npm would. */
async function install(key: string, names: readonly string[] = programNames): Promise<void> {
  for (const name of names) await program(join(options.packageFolder, "bin"), name);
  await writeFile(join(options.packageFolder, "key"), `${key}\n`);
}

describe("The platform package", () => {
  it("has the programs, and nothing is downloaded or built", async () => {
    await install(module.key);
    const bin = join(options.packageFolder, "bin");
    expect(await findPrograms(options)).toEqual(
      Object.fromEntries(programNames.map((name) => [name, join(bin, name)])),
    );
  });

  it("adds what the folder of KUBEBUILDER_ASSETS lacks", async () => {
    await install(module.key);
    const etcd = await program(join(directory, "assets"), "etcd");
    const env = { ...options.env, KUBEBUILDER_ASSETS: join(directory, "assets") };
    const programs = await findPrograms({ ...options, env });
    expect(programs.etcd).toBe(etcd);
    expect(programs.kubectl).toBe(join(options.packageFolder, "bin", "kubectl"));
  });

  it("is passed over if it was made from another source", async () => {
    await install("v1.36.0-linux-x64-0123456789ab");
    await expect(findPrograms(options)).rejects.toThrow(
      `the platform package: ${options.packageFolder} is of v1.36.0-linux-x64-0123456789ab, not of ${module.key}`,
    );
  });

  it("is passed over if it lacks a program", async () => {
    await install(module.key, ["etcd", "kube-apiserver", "kubectl"]);
    await expect(findPrograms(options)).rejects.toThrow(
      `the platform package: not all are in ${options.packageFolder}/bin`,
    );
  });
});
