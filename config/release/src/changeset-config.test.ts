import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { membersIn, root } from "./workspace.ts";

const config = JSON.parse(readFileSync(join(root, ".changeset/config.json"), "utf8"));

async function namesIn(...folders: readonly string[]): Promise<readonly string[]> {
  const members = (await Promise.all(folders.map((folder) => membersIn(folder)))).flat();
  return members.map(({ name }) => name).sort();
}

describe("Changesets", () => {
  it("give all that is published one version", async () => {
    expect(config.fixed).toEqual([await namesIn("packages", "packages/envtest/npm")]);
  });

  it("give none to what is neither published nor an operator", async () => {
    expect(config.ignore).toEqual(await namesIn(".", "config", "examples").then((names) => names.filter(isMember)));
  });
});

/** The root itself is no member. */
function isMember(name: string): boolean {
  return name.startsWith("@trimtab/");
}
