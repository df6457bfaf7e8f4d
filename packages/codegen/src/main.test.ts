import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const main = resolve(import.meta.dirname, "main.ts");
const kitchen = resolve(import.meta.dirname, "../test/kitchen");
const paths = [join(kitchen, "api"), "crd", join(kitchen, "operator.ts"), "rbac"];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trimtab-generate-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs the generator in the folder. @returns its exit code, and what it complained of */
function run(...args: readonly string[]): Promise<{ readonly code: unknown; readonly complaints: string }> {
  return new Promise((done) => {
    const command = ["--conditions=@trimtab/source", main, ...args];
    execFile(process.execPath, command, { cwd: folder }, (error, _, complaints) =>
      done({ code: error?.code ?? 0, complaints }),
    );
  });
}

const generate = () => run(...paths);
const check = () => run(...paths, "--check");

// It starts processes, which take their time on a busy machine.
describe("pnpm generate", { timeout: 60_000 }, () => {
  it("writes an operator's CRDs and roles, and finds nothing to complain of then", async () => {
    expect(await generate()).toEqual({ code: 0, complaints: "" });
    expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".yaml")).sort()).toEqual([
      "crd/kitchen.example.com_kettles.yaml",
      "rbac/cluster/role.yaml",
      "rbac/kettle_admin_role.yaml",
      "rbac/kettle_editor_role.yaml",
      "rbac/kettle_viewer_role.yaml",
      "rbac/leader_election_role.yaml",
      "rbac/namespaced/role.yaml",
      "rbac/role.yaml",
    ]);
    expect(await check()).toEqual({ code: 0, complaints: "" });
  });

  it("names with --check each file that was edited, that is missing and that is outdated, and changes none", async () => {
    await generate();
    const edited = join(folder, "rbac/namespaced/role.yaml");
    await writeFile(edited, (await readFile(edited, "utf8")).replace("- watch", '- "*"'));
    const text = await readFile(edited, "utf8");
    await rm(join(folder, "rbac/role.yaml"));
    await writeFile(join(folder, "rbac/pan_admin_role.yaml"), text);
    await writeFile(join(folder, "crd/kettle.yaml"), text);

    const { code, complaints } = await check();
    expect(code).toBe(1);
    expect(complaints.trim().split("\n").sort()).toEqual([
      "crd/kettle.yaml is not what the code says: run pnpm generate",
      "rbac/namespaced/role.yaml is not what the code says: run pnpm generate",
      "rbac/pan_admin_role.yaml is not what the code says: run pnpm generate",
      "rbac/role.yaml is not what the code says: run pnpm generate",
    ]);
    expect(await readFile(edited, "utf8")).toBe(text);
  });

  it("removes what it would not write any more, and leaves alone what people wrote", async () => {
    await generate();
    const role = await readFile(join(folder, "rbac/role.yaml"), "utf8");
    await writeFile(join(folder, "rbac/pan_admin_role.yaml"), role);
    await writeFile(join(folder, "rbac/kustomization.yaml"), "resources: [role.yaml]\n");

    expect(await generate()).toEqual({ code: 0, complaints: "" });
    expect(existsSync(join(folder, "rbac/pan_admin_role.yaml"))).toBe(false);
    expect(await readFile(join(folder, "rbac/kustomization.yaml"), "utf8")).toBe("resources: [role.yaml]\n");
    expect(await readFile(join(folder, "rbac/role.yaml"), "utf8")).toBe(role);
  });

  it("says what it lacks", async () => {
    const module = join(kitchen, "api/kettle.ts");
    expect(await run(join(kitchen, "api"), "crd", module, "rbac")).toEqual({
      code: 2,
      complaints: `${module} exports no \`operator\` with a name and controllers\n`,
    });
    const { complaints } = await run(join(kitchen, "api"), "crd", module);
    expect(complaints).toMatch(/^usage: /);
  });
});
