import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nameRelease } from "./release-name.ts";
import { folderOf, membersIn, root, shortName } from "./workspace.ts";

const operators = await membersIn("operators");

describe("The release that a README names", () => {
  it("becomes that of the version, its image too, and all else stays", () => {
    const readme =
      "Get a-operator-v0.1.0/install.yaml, or a-operator:v0.1.0-next.1. It runs on v0.1.0 of b-operator.\n";
    expect(nameRelease(readme, "a-operator", "0.2.0")).toBe(
      "Get a-operator-v0.2.0/install.yaml, or a-operator:v0.2.0. It runs on v0.1.0 of b-operator.\n",
    );
  });

  it("is missed where there is none", () => {
    expect(() => nameRelease("Build it.\n", "a-operator", "0.2.0")).toThrow("does not name a-operator's release");
  });

  it.each(operators)("is $version in that of $name", (operator) => {
    const readme = readFileSync(join(root, folderOf(operator), "README.md"), "utf8");
    const name = shortName(operator.name);
    expect(readme).toContain(`/releases/download/${name}-v${operator.version}/install.yaml`);
    expect(nameRelease(readme, name, operator.version)).toBe(readme);
  });
});
