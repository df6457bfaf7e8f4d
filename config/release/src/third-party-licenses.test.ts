import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { thisPlatform } from "@trimtab/envtest/programs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { thirdPartyLicenses } from "./third-party-licenses.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "trimtab-licences-"));
  await write(
    "app/go.mod",
    "module app\n\ngo 1.26\n\nrequire example.com/used v1.0.0\n\nreplace example.com/used => ../used\n",
  );
  await write("app/main.go", 'package main\n\nimport _ "example.com/used"\n\nfunc main() {}\n');
  await write("used/go.mod", "module example.com/used\n\ngo 1.26\n");
  await write("used/used.go", "package used\n");
});

afterEach(() => rm(directory, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(directory, path, ".."), { recursive: true });
  await writeFile(join(directory, path), text);
}

const licences = () =>
  thirdPartyLicenses({ directory: join(directory, "app"), platform: thisPlatform, env: process.env });

describe("Third-party licences", () => {
  it("are those of all modules that are linked in, notices too, and of Go itself", async () => {
    await write("used/LICENSE", "Use it well.\n");
    await write("used/NOTICE.txt", "By many.\n");
    const text = await licences();
    expect(text).toContain("example.com/used v1.0.0\n\nUse it well.\n\nBy many.\n");
    expect(text).toMatch(/^Go\n\nCopyright/m);
  });

  it("are missed where a module has none", async () => {
    await expect(licences()).rejects.toThrow("example.com/used v1.0.0");
  });
});
