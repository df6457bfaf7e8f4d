import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import type {} from "@trimtab/envtest/vitest";
import { inject } from "vitest";
import { parseAllDocuments, stringify } from "yaml";
import type { Manifest } from "./manifest.ts";

const execute = promisify(execFile);

/** What `kubectl kustomize` makes of a folder. */
export async function render(folder: string): Promise<readonly Manifest[]> {
  const [program = "", ...leading] = inject("kubectl");
  const { stdout } = await execute(program, [...leading, "kustomize", folder], { maxBuffer: 16 << 20 });
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}

/** What a user's own kustomization of these folders, made for as long as `work` takes, is called. */
export async function withOverlay<T>(
  { resources = [], components = [], ...rest }: OverlayOptions,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "trimtab-overlay-"));
  const within = (path: string) => relative(folder, path);
  const kustomization = { resources: resources.map(within), components: components.map(within), ...rest };
  try {
    await writeFile(join(folder, "kustomization.yaml"), stringify(kustomization));
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export interface OverlayOptions {
  /** Absolute paths. */
  readonly resources?: readonly string[];
  /** Absolute paths. */
  readonly components?: readonly string[];
  readonly images?: readonly object[];
  readonly patches?: readonly object[];
}
