import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "tsup";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { licensesBeside } from "./bundled-licenses.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "trimtab-bundle-"));
  await write("src/main.js", 'import { used } from "@scope/used";\nimport { unused } from "unused";\nused();\n');
  await write("node_modules/@scope/used/package.json", manifest("@scope/used", { license: "MIT" }));
  await write("node_modules/@scope/used/lib/index.js", "export const used = () => console.log(1);\n");
  await write("node_modules/unused/package.json", manifest("unused", { sideEffects: false }));
  await write("node_modules/unused/lib/index.js", "export const unused = 1;\n");
});

afterEach(() => rm(directory, { recursive: true }));

function manifest(name: string, more: object): string {
  return JSON.stringify({ name, version: "1.2.3", type: "module", exports: "./lib/index.js", ...more });
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(directory, path)), { recursive: true });
  await writeFile(join(directory, path), text);
}

async function licences(): Promise<string> {
  const outDir = join(directory, "dist");
  await build({
    entry: [join(directory, "src/main.js")],
    outDir,
    format: "esm",
    noExternal: [/.*/],
    config: false,
    silent: true,
    esbuildPlugins: [licensesBeside],
  });
  return readFile(join(outDir, "THIRD-PARTY-LICENSES.txt"), "utf8");
}

describe("The licences beside a bundle", () => {
  it("are those of the packages that are in it, notices too, and of no other", async () => {
    await write("node_modules/@scope/used/LICENSE", "Use it well.\n");
    await write("node_modules/@scope/used/NOTICE.md", "By many.\n");
    expect(await licences()).toBe("@scope/used 1.2.3: MIT\n\nUse it well.\n\nBy many.\n");
  });

  it("are at least named, where a package has no file of them", async () => {
    expect(await licences()).toBe("@scope/used 1.2.3: MIT\n");
  });

  it("are missed where a package says nothing of them", async () => {
    await write("node_modules/@scope/used/package.json", manifest("@scope/used", {}));
    await expect(licences()).rejects.toThrow("@scope/used 1.2.3 has no licence");
  });
});
