import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type GeneratedFile, isGenerated } from "./generated-file.ts";

/** What must happen to a folder so that it holds the generated files and no outdated ones. */
export interface FolderChange {
  readonly name: string;
  /** `undefined` where the file was generated once, and no longer is. */
  readonly text: string | undefined;
}

/** The changes that would bring a folder up to date; files without the generated head are nobody's business. */
export async function changesOf(folder: string, files: readonly GeneratedFile[]): Promise<readonly FolderChange[]> {
  const present = await generatedFiles(folder);
  const wanted = new Map(files.map(({ name, text }) => [name, text]));
  return [...new Set([...wanted.keys(), ...present.keys()])]
    .filter((name) => wanted.get(name) !== present.get(name))
    .map((name) => ({ name, text: wanted.get(name) }));
}

export async function applyChanges(folder: string, changes: readonly FolderChange[]): Promise<void> {
  for (const { name, text } of changes) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    if (text === undefined) await rm(path);
    else await writeFile(path, text);
  }
}

async function generatedFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
  const files = new Map<string, string>();
  for (const name of names.filter((each) => each.endsWith(".yaml")).sort()) {
    const text = await readFile(join(folder, name), "utf8");
    if (isGenerated(text)) files.set(name, text);
  }
  return files;
}
