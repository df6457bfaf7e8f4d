import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Platform, thisPlatform } from "./platform.ts";

/** The Go module that a control plane can be built from. */
export interface ControlPlaneModule {
  readonly directory: string;
  /** Of Kubernetes, such as `v1.37.1`: the one thing that says so is the module's `go.mod`. */
  readonly version: string;
  /** Names what is built from this source for one kind of machine, and nothing else. */
  readonly key: string;
}

/** @throws {Error} if the module's files are not there, or name no version of Kubernetes */
export async function readControlPlaneModule(
  directory: string = fileURLToPath(new URL("../go", import.meta.url)),
  { os, architecture }: Platform = thisPlatform,
): Promise<ControlPlaneModule> {
  const files = (await readdir(directory)).filter((name) => /\.go$|^go\.(mod|sum)$/.test(name)).sort();
  const hash = createHash("sha256");
  for (const name of files) hash.update(`${name}\n`).update(await readFile(join(directory, name)));
  const version = /k8s\.io\/kubernetes (v\d+\.\d+\.\d+)/.exec(await readFile(join(directory, "go.mod"), "utf8"))?.[1];
  if (version === undefined) throw new Error(`${join(directory, "go.mod")} requires no k8s.io/kubernetes`);
  return {
    directory,
    version,
    key: `${version}-${os}-${architecture}-${hash.digest("hex").slice(0, 12)}`,
  };
}
