import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

const licence = /^(licen[cs]e|copying|notice)([.-]|$)/i;
const packageFolder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** What a bundle is made of, as esbuild tells. */
export interface Bundle {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

/**
 * The packages from npm that are in a bundle, with their licences and notices: they are to go with it wherever it goes.
 *
 * @param directory what the bundle's paths are relative to
 * @throws {Error} if a package says neither in a file nor in its package.json what its licence is, because it may then not be published
 */
export async function bundledLicenses({ outputs }: Bundle, directory: string): Promise<string> {
  const folders = new Set<string>();
  for (const { inputs } of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [, folder] = packageFolder.exec(path) ?? [];
      if (folder !== undefined && bytesInOutput > 0) folders.add(resolve(directory, folder));
    }
  const texts = await Promise.all([...folders].map(licencesIn));
  return texts.sort().join(`\n${"=".repeat(80)}\n\n`);
}

async function licencesIn(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const files = (await readdir(folder)).filter((file) => licence.test(file)).sort();
  if (files.length === 0 && typeof license !== "string")
    throw new Error(`${name} ${version} has no licence: say so upstream, or do without it`);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return [`${name} ${version}: ${license ?? "see below"}\n`, ...texts.map((text) => `${text.trim()}\n`)].join("\n");
}

/** Lays THIRD-PARTY-LICENSES.txt beside the bundle. */
export const licensesBeside: Plugin = {
  name: "licenses-beside",
  setup(build) {
    const { absWorkingDir = ".", outdir = "dist" } = build.initialOptions;
    build.initialOptions.metafile = true;
    build.onEnd(async ({ metafile }) => {
      if (metafile === undefined) return;
      const folder = resolve(absWorkingDir, outdir);
      const text = await bundledLicenses(metafile, absWorkingDir);
      // tsup writes the bundle itself, and later.
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "THIRD-PARTY-LICENSES.txt"), text);
    });
  },
};
