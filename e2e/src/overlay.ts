import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { PushedImage } from "./images.ts";
import { schedulerName } from "./pod-node.ts";

export interface OverlayOptions {
  readonly root: string;
  /** A folder to make it in. */
  readonly folder: string;
  readonly image: PushedImage;
}

/**
 * Makes the overlay of an operator's config/default that a user would make, who has the image in a registry of theirs; beyond
 * that, it only says who runs the pod.
 *
 * @returns its folder
 */
export async function makeOverlay({ root, folder, image }: OverlayOptions): Promise<string> {
  const { operator, name, digest } = image;
  const path = join(folder, operator);
  await mkdir(path, { recursive: true });
  const patch = [{ op: "add", path: "/spec/template/spec/schedulerName", value: schedulerName }];
  const kustomization = {
    resources: [relative(path, join(root, "operators", operator, "config/default"))],
    images: [{ name: operator, newName: name, digest }],
    patches: [{ target: { kind: "Deployment" }, patch: JSON.stringify(patch) }],
  };
  // JSON is YAML too.
  await writeFile(join(path, "kustomization.yaml"), JSON.stringify(kustomization));
  return path;
}
