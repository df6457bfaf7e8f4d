import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { crdManifest, installManifest } from "./install-manifest.ts";
import { releaseNotes, sharedReleaseNotes } from "./release-notes.ts";
import { membersIn, root, shortName } from "./workspace.ts";

const usage = "usage: assets-main.ts packages|OPERATOR --version VERSION --out FOLDER [--image NAME@DIGEST]";

/** Writes what is attached to a release on GitHub: notes.md and, for an operator, install.yaml and crds.yaml. */
async function main(args: readonly string[]): Promise<void> {
  const string = { type: "string" } as const;
  const options = { version: string, out: string, image: string };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [name] = positionals;
  const { version, out, image } = values;
  if (name === undefined || version === undefined || out === undefined) throw new TypeError(usage);
  await mkdir(out, { recursive: true });
  if (name === "packages") {
    const names = (await membersIn("packages")).map((each) => shortName(each.name));
    const changelogs = await Promise.all(names.map((each) => changelogIn(`packages/${each}`)));
    await writeFile(join(out, "notes.md"), `${sharedReleaseNotes(changelogs, version)}\n`);
    return;
  }
  if (image === undefined) throw new TypeError(usage);
  const folder = join(root, "operators", name);
  const kubectl = ["kubectl"];
  const notes = releaseNotes(await changelogIn(`operators/${name}`), version);
  await writeFile(join(out, "notes.md"), `${notes}\n\nImage: \`${image}\`\n`);
  await writeFile(join(out, "install.yaml"), await installManifest({ kubectl, folder, name, image }));
  await writeFile(join(out, "crds.yaml"), await crdManifest({ kubectl, folder }));
}

/** Empty before the first changeset. */
async function changelogIn(folder: string): Promise<string> {
  const path = join(root, folder, "CHANGELOG.md");
  return existsSync(path) ? readFile(path, "utf8") : "";
}

await main(process.argv.slice(2));
