import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

describe("README.md", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");

  it.each(globSync("examples/greeting/src/**/*.ts", { cwd: root }))("shows %s as it is", (path) => {
    expect(readme).toContain(`// ${path}\n${readFileSync(join(root, path), "utf8")}\`\`\`\n`);
  });

  it("links to nothing that is not there", () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = ""]) => path);
    expect(links.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
  });
});
