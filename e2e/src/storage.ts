import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CommandOptions, run } from "@trimtab/image";
import type { ImageConfig } from "./runtime-config.ts";

/** Images in a folder of their own, as buildah keeps them: nothing is seen of, or left in, those of the machine. */
export class Storage {
  /** Makes every program that knows containers' storage use this one. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly #options: CommandOptions;

  private constructor(options: CommandOptions) {
    this.#options = options;
    this.env = options.env;
  }

  static async create(folder: string, options: CommandOptions): Promise<Storage> {
    const conf = join(folder, "storage.conf");
    await mkdir(folder, { recursive: true });
    const storage = new Storage({ ...options, env: { ...options.env, CONTAINERS_STORAGE_CONF: conf } });
    for (const driver of ["overlay", "vfs"]) {
      const paths = `graphroot = "${join(folder, driver)}"\nrunroot = "${join(folder, `${driver}-run`)}"`;
      await writeFile(conf, `[storage]\ndriver = "${driver}"\n${paths}\n`);
      try {
        await storage.buildah("info");
        break;
      } catch (error) {
        // Overlays cannot stand on overlays; copies can.
        if (driver === "vfs") throw error;
      }
    }
    return storage;
  }

  buildah(...args: readonly string[]): Promise<string> {
    return run(["buildah", ...args], this.#options);
  }

  /** @returns the digest under which the registry has it */
  async push(image: string, reference: string, digestFile: string): Promise<string> {
    await this.buildah(
      "push",
      "--disable-compression",
      "--tls-verify=false",
      `--digestfile=${digestFile}`,
      image,
      `docker://${reference}`,
    );
    return readFile(digestFile, "utf8");
  }

  async pull(reference: string): Promise<void> {
    await this.buildah("pull", "--quiet", "--tls-verify=false", `docker://${reference}`);
  }

  async inspect(image: string): Promise<ImageDescription> {
    return JSON.parse(await this.buildah("inspect", "--type=image", image)) as ImageDescription;
  }

  /** @returns the folder that an image's files are in, until `unmount` */
  async mount(image: string, name: string): Promise<string> {
    await this.buildah("from", "--pull-never", `--name=${name}`, image);
    return (await this.buildah("mount", name)).trim();
  }

  async unmount(name: string): Promise<void> {
    await this.buildah("umount", name);
    await this.buildah("rm", name);
  }

  /** Unmounts whatever is mounted, so that the folder can be deleted. */
  async close(): Promise<void> {
    // Even after a Ctrl-C.
    const { signal: _, ...uninterrupted } = this.#options;
    await run(["buildah", "umount", "--all"], uninterrupted);
    await run(["buildah", "rm", "--all"], uninterrupted);
  }
}

export interface ImageDescription {
  readonly OCIv1: {
    readonly config: ImageConfig & { readonly Labels?: Readonly<Record<string, string>> };
    readonly rootfs: { readonly diff_ids: readonly string[] };
  };
}
