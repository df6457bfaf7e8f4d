import { constants } from "node:fs";
import { chmod, copyFile, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Programs, programNames } from "@trimtab/envtest/programs";

export interface WritePlatformPackageOptions {
  /** The folder of the platform package's package.json. */
  readonly folder: string;
  readonly programs: Programs;
  /** What the programs were made from, and for what: envtest takes no others. */
  readonly key: string;
}

/**
 * Puts programs into a platform package. A tarball holds no links, so where several programs are one file by several names,
 * each name is a script that runs that file.
 */
export async function writePlatformPackage({ folder, programs, key }: WritePlatformPackageOptions): Promise<void> {
  const bin = join(folder, "bin");
  await rm(bin, { recursive: true, force: true });
  await mkdir(bin, { recursive: true });
  for (const name of programNames) {
    const file = await realpath(programs[name]);
    const program = basename(file);
    await copyFile(file, join(bin, program), constants.COPYFILE_FICLONE);
    if (program !== name) await writeScript(join(bin, name), program, name);
  }
  await writeFile(join(folder, "key"), `${key}\n`);
}

async function writeScript(path: string, program: string, name: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\nexec "\${0%/*}/${program}" ${name} "$@"\n`);
  await chmod(path, 0o755);
}
