import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const main = resolve(import.meta.dirname, "../src/main.ts");
const kettle = (field: string) => `
import { customResource, k } from "@trimtab/crd";
export const Kettle = customResource({
  group: "kitchen.example.com", version: "v1", kind: "Kettle",
  spec: k.object({ ${field}: k.string() }), status: k.object({}),
});
export const notAType = { kind: "Kettle" };
`;

let folder: string;
let api: string;
let crds: string;

beforeEach(async () => {
  // Within the package, so that the module finds @trimtab/crd.
  folder = await mkdtemp(join(import.meta.dirname, ".generate-"));
  api = join(folder, "api");
  crds = join(folder, "config", "crd", "bases");
  await mkdir(join(api, "v1"), { recursive: true });
  await writeFile(join(api, "v1", "kettle.ts"), kettle("colour"));
});
afterEach(() => rm(folder, { recursive: true }));

async function generate(...args: string[]): Promise<{ code: number; stderr: string }> {
  const command = ["--conditions=@trimtab/source", main, ...args];
  return promisify(execFile)(process.execPath, command).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: { code: number; stderr: string }) => ({ code: error.code, stderr: error.stderr }),
  );
}

describe("generate", () => {
  it("writes a CRD for each type under the folder, and then has nothing to change", async () => {
    expect((await generate("--check", api, crds)).code).toBe(1);
    expect(existsSync(crds)).toBe(false);
    expect(await generate(api, crds)).toEqual({ code: 0, stderr: "" });
    expect(await readdir(crds)).toEqual(["kitchen.example.com_kettles.yaml"]);
    expect(await generate("--check", api, crds)).toEqual({ code: 0, stderr: "" });
  });

  it("names the file that differs, and does not touch it, when it only checks", async () => {
    await generate(api, crds);
    const path = join(crds, "kitchen.example.com_kettles.yaml");
    const before = await readFile(path, "utf8");
    await writeFile(join(api, "v1", "kettle.ts"), kettle("size"));
    const { code, stderr } = await generate("--check", api, crds);
    expect(code).toBe(1);
    expect(stderr).toContain("kitchen.example.com_kettles.yaml is not what the code says: run pnpm generate");
    expect(await readFile(path, "utf8")).toBe(before);
  });

  it("removes the file of a type that is no more, and leaves files that people wrote", async () => {
    await generate(api, crds);
    await writeFile(join(crds, "handwritten.yaml"), "kind: List\n");
    await writeFile(join(api, "v1", "kettle.ts"), kettle("size").replaceAll("Kettle", "Pan"));
    await generate(api, crds);
    expect((await readdir(crds)).sort()).toEqual(["handwritten.yaml", "kitchen.example.com_pans.yaml"]);
  });

  it("writes one CRD for the versions of a kind, each from a folder of its own", async () => {
    await mkdir(join(api, "v1beta1"));
    await writeFile(
      join(api, "v1", "kettle.ts"),
      kettle("size").replace('version: "v1"', 'version: "v1", storage: true'),
    );
    await writeFile(join(api, "v1beta1", "kettle.ts"), kettle("colour").replace('version: "v1"', 'version: "v1beta1"'));
    await generate(api, crds);
    expect(await readdir(crds)).toEqual(["kitchen.example.com_kettles.yaml"]);
    const text = await readFile(join(crds, "kitchen.example.com_kettles.yaml"), "utf8");
    expect(text.match(/(?<=- name: ).*|(?<=storage: ).*/g)).toEqual(["v1", "true", "v1beta1", "false"]);
  });

  it("writes nothing if a rule is too expensive, and says what to do", async () => {
    const dear = kettle("colour").replace("k.string()", 'k.string().rule("self.contains(self)", "no")');
    await writeFile(join(api, "v1", "kettle.ts"), dear);
    const { code, stderr } = await generate(api, crds);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^kettles\.kitchen\.example\.com cannot be as it is:\nin v1, .* give spec\.colour a maxLength;/,
    );
    expect(existsSync(crds)).toBe(false);
  });

  it("refuses a folder without a type", async () => {
    await writeFile(join(api, "v1", "kettle.ts"), "export {};\n");
    const { code, stderr } = await generate(api, crds);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^no module under .* exports a customResource\(…\)\n$/);
  });

  it("says how it is used", async () => {
    expect(await generate(api)).toEqual({
      code: 2,
      stderr: "usage: trimtab-codegen [--check] API_FOLDER CRD_FOLDER [OPERATOR_MODULE RBAC_FOLDER]\n",
    });
  });
});
