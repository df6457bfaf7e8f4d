import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { pnpm } from "../../tooling/pnpm.mjs";
import { turbo } from "../../tooling/turbo.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The tarball of each published package, by its name. */
    tarballs: Readonly<Record<string, string>>;
  }
}

const root = resolve(import.meta.dirname, "../../..");
let folder: string | undefined;

/** For vitest's `globalSetup`: builds the packages and packs them, as `pnpm publish` does. */
export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "trimtab-packed-"));
  const options = { signal: new AbortController().signal, advice: "" };
  await turbo("build", options, ["--filter=./packages/*"]);
  await pnpm(["--recursive", "--filter=./packages/*", "pack", `--pack-destination=${folder}`], options);
  project.provide("tarballs", await tarballsIn(folder));
}

/** For vitest's `globalSetup`: leaves nothing behind. */
export async function teardown(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true });
}

async function tarballsIn(directory: string): Promise<Readonly<Record<string, string>>> {
  const packed = new Set(await readdir(directory));
  const tarballs: Record<string, string> = {};
  for (const name of await readdir(join(root, "packages"))) {
    const manifest = JSON.parse(await readFile(join(root, "packages", name, "package.json"), "utf8"));
    const file = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
    if (!packed.has(file)) throw new Error(`pnpm pack has made no ${file}`);
    tarballs[manifest.name] = join(directory, file);
  }
  return tarballs;
}
