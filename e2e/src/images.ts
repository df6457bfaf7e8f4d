import { statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { buildImage, type CommandOptions, readSourceState } from "@trimtab/image";
import { baseImage } from "./base-image.ts";
import type { Progress } from "./claims.ts";
import type { Storage } from "./storage.ts";

/** What an image may weigh beyond its base, compressed. */
const mostBytes = 3_000_000;

export interface ImageOptions {
  readonly root: string;
  readonly operator: string;
  readonly storage: Storage;
  readonly command: CommandOptions;
}

/**
 * Builds an operator's image twice, of a bundle that looks newer the second time.
 *
 * @returns its name
 * @throws {Error} if the two differ, or are more than the base and one layer
 */
export async function buildTwice(
  { root, operator, storage, command }: ImageOptions,
  progress: Progress,
): Promise<string> {
  const bundle = join(root, "operators", operator, "dist/main.js");
  const { atime, mtime } = statSync(bundle);
  const layersOf = async (image: string): Promise<readonly string[]> =>
    (await storage.inspect(image)).OCIv1.rootfs.diff_ids;
  const build = async (tag: string): Promise<readonly string[]> => {
    progress(tag);
    const options = { ...command, env: { ...storage.env, PATH: command.env["PATH"] }, directory: root };
    await buildImage({ ...options, operator, tag, base: baseImage, source, engine: "buildah" });
    return layersOf(tag);
  };
  const source = await readSourceState({ ...command, directory: root });
  const first = await build(`${operator}:first`);
  try {
    utimesSync(bundle, atime, new Date(mtime.getTime() + 3_600_000));
    const second = await build(`${operator}:second`);
    if (first.join() !== second.join()) throw new Error(`its layers differ: ${first} and ${second}`);
  } finally {
    utimesSync(bundle, atime, mtime);
  }
  const base = await layersOf(baseImage);
  if (first.slice(0, base.length).join() !== base.join() || first.length !== base.length + 1)
    throw new Error("it is not its base and one layer");
  await checkConfig(`${operator}:first`, storage);
  return `${operator}:first`;
}

const labels = ["created", "description", "licenses", "revision", "source", "title", "version"];

async function checkConfig(image: string, storage: Storage): Promise<void> {
  const { config } = (await storage.inspect(image)).OCIv1;
  const lacking = labels.filter((label) => !config.Labels?.[`org.opencontainers.image.${label}`]);
  if (lacking.length > 0) throw new Error(`it has no label ${lacking.join(", ")}`);
  if (config.User !== "65532:65532") throw new Error(`its user is "${config.User}"`);
}

/**
 * Pushes an image to a registry.
 *
 * @returns its name and digest there
 * @throws {Error} if its own layer is too big
 */
export async function pushImage(
  image: string,
  {
    operator,
    storage,
    registry,
    folder,
  }: Pick<ImageOptions, "operator" | "storage"> & { readonly registry: string; readonly folder: string },
): Promise<PushedImage> {
  const name = `${registry}/${operator}`;
  const digest = await storage.push(image, `${name}:e2e`, join(folder, `${operator}.digest`));
  const accept = "application/vnd.oci.image.manifest.v1+json";
  const answer = await fetch(`http://${registry}/v2/${operator}/manifests/${digest}`, { headers: { accept } });
  const { layers } = (await answer.json()) as { readonly layers: readonly { readonly size: number }[] };
  const bytes = layers.at(-1)?.size ?? Number.POSITIVE_INFINITY;
  if (bytes > mostBytes) throw new Error(`its layer is ${bytes} bytes, compressed: more than ${mostBytes}`);
  return { operator, name, digest, bytes };
}

export interface PushedImage {
  readonly operator: string;
  readonly name: string;
  readonly digest: string;
  /** What its own layer takes in the registry. */
  readonly bytes: number;
}
