import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nameImageTag } from "./image-tag.ts";
import { nameRelease } from "./release-name.ts";
import { type PlannedRelease, untouchedOperators } from "./untouched-operators.ts";
import { folderOf, membersIn, root, shortName } from "./workspace.ts";

/** Turns changesets into versions and changelogs: of the packages as one, and of the operators that changed. */
async function main(): Promise<void> {
  const operators = await membersIn("operators");
  const untouched = untouchedOperators(await plan(), operators, await membersIn("packages"));
  const kept = untouched.flatMap((operator) =>
    ["package.json", "CHANGELOG.md"].map((file) => join(root, folderOf(operator), file)),
  );
  const before = await Promise.all(kept.map((path) => readFile(path, "utf8").catch(() => undefined)));
  changeset("version");
  for (const [index, path] of kept.entries()) await restore(path, before[index]);
  for (const operator of await membersIn("operators")) {
    const path = join(root, folderOf(operator), "config/manager/kustomization.yaml");
    await writeFile(path, nameImageTag(await readFile(path, "utf8"), operator.version));
    const readme = join(root, folderOf(operator), "README.md");
    await writeFile(readme, nameRelease(await readFile(readme, "utf8"), shortName(operator.name), operator.version));
  }
}

async function plan(): Promise<readonly PlannedRelease[]> {
  const folder = await mkdtemp(join(tmpdir(), "trimtab-release-"));
  try {
    const path = join(folder, "status.json");
    changeset("status", `--output=${path}`);
    return JSON.parse(await readFile(path, "utf8")).releases;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function changeset(...args: readonly string[]): void {
  execFileSync(join(root, "node_modules/.bin/changeset"), args, { cwd: root, stdio: "inherit" });
}

async function restore(path: string, text: string | undefined): Promise<void> {
  if (text === undefined) await rm(path, { force: true });
  else await writeFile(path, text);
}

await main();
