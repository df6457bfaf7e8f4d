import { readdir, symlink } from "node:fs/promises";
import { join } from "node:path";

/** What distributions that have merged /usr ship there alone, programs' interpreter among it. */
const merged = /^s?bin$|^lib(|32|64|x32)$/;

/** Makes the links into /usr of a root whose packages leave them to the distribution's base: /lib64 to usr/lib64. */
export async function linkMergedUsr(root: string): Promise<void> {
  const there = await readdir(root);
  const lacking = (await readdir(join(root, "usr"))).filter((name) => merged.test(name) && !there.includes(name));
  for (const name of lacking) await symlink(`usr/${name}`, join(root, name));
}
