import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findPrograms, platformPackage, readControlPlaneModule } from "@trimtab/envtest/programs";
import { pnpm } from "@trimtab/tooling/pnpm";
import { turbo } from "@trimtab/tooling/turbo";
import type { TestProject } from "vitest/node";
import { writePlatformPackage } from "../src/write-platform-package.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The tarball of each package that is published, by its name; but for this machine, platform packages are empty. */
    tarballs: Readonly<Record<string, string>>;
  }
}

const root = resolve(import.meta.dirname, "../../..");
const options = { signal: new AbortController().signal, advice: "" };
let folder: string | undefined;

/** For vitest's `globalSetup`: builds the packages and packs them, as `pnpm publish` does. */
export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "trimtab-packed-"));
  const tarballs = join(folder, "tarballs");
  await turbo("build", options, ["--filter=./packages/*"]);
  await pnpm(["--recursive", "--filter=./packages/**", "pack", `--pack-destination=${tarballs}`], options);
  await packPrograms(folder, tarballs);
  project.provide("tarballs", await byName(tarballs));
}

/** For vitest's `globalSetup`: leaves nothing behind. */
export async function teardown(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true });
}

/** The programs that the other tests run are packed, so that none have to be built, and outside of the workspace. */
async function packPrograms(parent: string, tarballs: string): Promise<void> {
  const copy = join(parent, "platform-package");
  await cp(join(root, "packages/envtest/npm", platformPackage().replace("@trimtab/control-plane-", "")), copy, {
    recursive: true,
    filter: (path) => !path.endsWith("/node_modules"),
  });
  const programs = await findPrograms();
  await writePlatformPackage({ folder: copy, programs, key: (await readControlPlaneModule()).key });
  await pnpm([`--dir=${copy}`, "pack", `--pack-destination=${tarballs}`], options);
}

async function byName(directory: string): Promise<Readonly<Record<string, string>>> {
  const packed = new Set(await readdir(directory));
  const tarballs: Record<string, string> = {};
  for (const parent of ["packages", "packages/envtest/npm"]) {
    const folders = (await readdir(join(root, parent), { withFileTypes: true })).filter((each) => each.isDirectory());
    for (const { name } of folders) {
      const manifest = JSON.parse(await readFile(join(root, parent, name, "package.json"), "utf8"));
      const file = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
      if (!packed.has(file)) throw new Error(`pnpm pack has made no ${file}`);
      tarballs[manifest.name] = join(directory, file);
    }
  }
  return tarballs;
}
