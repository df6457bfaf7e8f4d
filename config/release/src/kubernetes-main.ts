import { mkdir } from "node:fs/promises";
import { downloadPrograms, releaseSites } from "@trimtab/envtest/programs";
import { parse } from "yaml";
import { newestMinors } from "./newest-minors.ts";

const usage = `usage: kubernetes-main.ts newest COUNT              says the newest patch of each of the newest minors, as JSON
       kubernetes-main.ts download VERSION FOLDER   downloads its control plane, for KUBEBUILDER_ASSETS`;

/** What a run against other versions of Kubernetes than our own starts with. */
async function main([command, ...args]: readonly string[]): Promise<void> {
  const [first = "", folder = ""] = args;
  if (command === "newest" && args.length === 1)
    process.stdout.write(`${JSON.stringify(await newest(Number(first)))}\n`);
  else if (command === "download" && args.length === 2) await download(first, folder);
  else throw new TypeError(usage);
}

async function newest(count: number): Promise<readonly string[]> {
  const response = await fetch(releaseSites.index);
  if (!response.ok) throw new Error(`${releaseSites.index} answers ${response.status}`);
  const { releases } = parse(await response.text()) as { readonly releases: object };
  return newestMinors(Object.keys(releases), count);
}

async function download(version: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const onProgress = (line: string): void => void process.stderr.write(`${line}\n`);
  await downloadPrograms(folder, { sites: releaseSites, version, onProgress });
}

await main(process.argv.slice(2));
