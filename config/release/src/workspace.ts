import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Member } from "./untouched-operators.ts";

/** The repository's folder. */
export const root: string = resolve(import.meta.dirname, "../../..");

/** The members of the workspace that lie in a folder of it, such as `operators`. */
export async function membersIn(folder: string, repository: string = root): Promise<readonly Member[]> {
  const paths = (await readdir(join(repository, folder))).map((name) => join(repository, folder, name, "package.json"));
  const present = paths.filter((path) => existsSync(path)).sort();
  return Promise.all(present.map(async (path) => JSON.parse(await readFile(path, "utf8")) as Member));
}

/** Where an operator lies: its package is named as its folder is, but for the scope. */
export function folderOf({ name }: Member): string {
  return `operators/${shortName(name)}`;
}

/** A package's name without its scope. */
export function shortName(name: string): string {
  return name.replace(/^@[^/]+\//, "");
}
