import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { withoutNamespace } from "./without-namespace.ts";

export interface InstallManifestOptions {
  /** The command that is kubectl, with its leading arguments. */
  readonly kubectl: readonly string[];
  /** The operator's folder, absolute. */
  readonly folder: string;
  /** What its manifests call its image. */
  readonly name: string;
  /** Where the image is, by digest: `ghcr.io/owner/name@sha256:…`. */
  readonly image: string;
}

const byDigest = /^(.+)@(sha256:[0-9a-f]{64})$/;

/**
 * All that installs an operator, in one file, with its image pinned.
 *
 * @throws {Error} if the image is named in any other way than by its digest: a tag may be something else tomorrow
 */
export async function installManifest({ kubectl, folder, name, image }: InstallManifestOptions): Promise<string> {
  const [, newName, digest] = byDigest.exec(image) ?? [];
  if (newName === undefined || digest === undefined) throw new Error(`${image} is not an image by its digest`);
  const overlay = await realpath(await mkdtemp(join(tmpdir(), "trimtab-install-")));
  try {
    const resources = [relative(overlay, await realpath(join(folder, "config/default")))];
    await writeFile(
      join(overlay, "kustomization.yaml"),
      JSON.stringify({ resources, images: [{ name, newName, digest }] }),
    );
    return withoutNamespace(await kustomize(kubectl, overlay));
  } finally {
    await rm(overlay, { recursive: true });
  }
}

/** An operator's CRDs alone, for those who install them apart. */
export async function crdManifest({
  kubectl,
  folder,
}: Pick<InstallManifestOptions, "kubectl" | "folder">): Promise<string> {
  return kustomize(kubectl, join(folder, "config/crd"));
}

async function kustomize([program = "", ...leading]: readonly string[], folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...leading, "kustomize", folder], { maxBuffer: 16 << 20 });
  return stdout;
}
