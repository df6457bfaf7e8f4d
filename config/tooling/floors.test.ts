import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Member {
  readonly manifest: Manifest;
  readonly tag: string;
}

function read<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8")) as T;
}

function membersOf(folder: string): readonly Member[] {
  return readdirSync(join(root, folder)).map((name) => ({
    manifest: read<Manifest>(join(root, folder, name, "package.json")),
    tag: read<{ tags: readonly [string] }>(join(root, folder, name, "turbo.json")).tags[0],
  }));
}

function floorOf(tag: string): number {
  return tag === "roof" ? Number.POSITIVE_INFINITY : Number(tag.replace("floor", ""));
}

describe("Floors", () => {
  const members = [...membersOf("packages"), ...membersOf("operators")];
  const tags = new Map(members.map(({ manifest, tag }) => [manifest.name, tag]));

  // turbo takes devDependencies for dependencies, so it cannot tell a tool of the tests from a part of the product.
  it.each(members)("$manifest.name stands only on floors beneath its own", ({ manifest, tag }) => {
    const siblings = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith("@trimtab/"));
    const tooHigh = siblings.filter((name) => floorOf(tags.get(name) ?? "roof") >= floorOf(tag));
    expect(tooHigh).toEqual([]);
  });
});

describe("turbo boundaries", () => {
  const folder = mkdtempSync(join(tmpdir(), "trimtab-floors-"));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function addPackage(name: string, tag: string, manifest: object, source: string): void {
    const path = join(folder, "packages", name);
    mkdirSync(join(path, "src"), { recursive: true });
    writeFileSync(join(path, "package.json"), JSON.stringify({ name: `@trimtab/${name}`, ...manifest }));
    writeFileSync(join(path, "turbo.json"), JSON.stringify({ extends: ["//"], tags: [tag] }));
    writeFileSync(join(path, "src/index.ts"), source);
  }

  it("refuses an import from a floor above, and one that is not declared", () => {
    for (const name of ["package.json", "pnpm-workspace.yaml", "turbo.json"])
      cpSync(join(root, name), join(folder, name));
    addPackage("low", "floor0", { dependencies: { "@trimtab/high": "workspace:*" } }, `import "@trimtab/high";\n`);
    addPackage("high", "floor1", {}, `import "@trimtab/low";\n`);
    execFileSync("git", ["init", "--quiet", folder]);

    const { status, stdout, stderr } = spawnSync(join(root, "node_modules/.bin/turbo"), ["boundaries"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
    });
    const said = (stdout + stderr).replaceAll(/\s*\n\s*│?\|?\s*/g, " ");
    expect(said).toContain("Package `@trimtab/high` found without any tag listed in allowlist for `@trimtab/low`");
    expect(said).toContain("cannot import package `@trimtab/low` because it is not a dependency");
    expect(status).toBe(1);
  });
});
