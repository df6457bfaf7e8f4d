import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Platform, thisPlatform } from "./platform.ts";

/** npm's package with the programs for a kind of machine; this package has it as an optional dependency. */
export function platformPackage({ os, architecture }: Platform = thisPlatform): string {
  return `@trimtab/control-plane-${os}-${architecture}`;
}

/** The platform package's folder; nothing if a package manager has left it out, or there is none for this machine. */
export function platformFolder(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${platformPackage()}/package.json`));
  } catch {
    return undefined;
  }
}

/**
 * The folder of a platform package's programs, if they were made from the source that `key` names: a package of another
 * version, or one that was built here before the source changed, is not the control plane that was asked for.
 *
 * @throws {Error} saying why there is none
 */
export async function programsOfPackage(folder: string | undefined, key: string): Promise<string> {
  if (folder === undefined) throw new Error(`${platformPackage()} is not installed`);
  const made = await readFile(join(folder, "key"), "utf8").catch((cause: unknown) => {
    throw new Error(`${folder} holds no programs`, { cause });
  });
  if (made.trim() !== key) throw new Error(`${folder} is of ${made.trim()}, not of ${key}`);
  return join(folder, "bin");
}
