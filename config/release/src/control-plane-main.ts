import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  buildPrograms,
  type Platform,
  type Programs,
  programNames,
  readControlPlaneModule,
} from "@trimtab/envtest/programs";
import { thirdPartyLicenses } from "./third-party-licenses.ts";
import { writePlatformPackage } from "./write-platform-package.ts";

const parent = resolve(import.meta.dirname, "../../../packages/envtest/npm");
const usage = "usage: control-plane-main.ts [PLATFORM...], such as linux-x64; all of them if none is named";

/** Builds the control plane into the platform packages, ready for `pnpm publish`. */
async function main(names: readonly string[]): Promise<void> {
  const known = (await readdir(parent, { withFileTypes: true })).filter((each) => each.isDirectory());
  const platforms = known.map(({ name }) => name);
  for (const name of names) if (!platforms.includes(name)) throw new TypeError(`no platform ${name}\n${usage}`);
  for (const name of names.length === 0 ? platforms : names) await build(join(parent, name));
}

async function build(folder: string): Promise<void> {
  const platform = await platformOf(folder);
  const module = await readControlPlaneModule(undefined, platform);
  const directory = await mkdtemp(join(tmpdir(), "trimtab-control-plane-"));
  try {
    const onProgress = (line: string): void => void process.stderr.write(`${module.key}: ${line}\n`);
    await buildPrograms(directory, { module, env: process.env, platform, onProgress });
    const programs = Object.fromEntries(programNames.map((name) => [name, join(directory, name)])) as Programs;
    await writePlatformPackage({ folder, programs, key: module.key });
    const licences = await thirdPartyLicenses({ directory: module.directory, platform, env: process.env });
    await writeFile(join(folder, "THIRD-PARTY-LICENSES.txt"), licences);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function platformOf(folder: string): Promise<Platform> {
  const { os, cpu } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return { os: os[0], architecture: cpu[0] };
}

await main(process.argv.slice(2));
