import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { platformPackage } from "@trimtab/envtest/programs";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, "../../..");
let project: string;

/** As strict as a compiler gets, with the declarations of libraries too. */
const compilerOptions = {
  strict: true,
  noEmit: true,
  target: "ES2024",
  lib: ["ES2024"],
  types: ["node"],
  skipLibCheck: false,
  verbatimModuleSyntax: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
};

/** An empty project, with the packages from their tarballs and the README's operator; nothing leads back to this repository. */
beforeAll(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), "trimtab-consumer-")));
  const greeting = join(root, "examples/greeting");
  await cp(join(greeting, "src"), join(project, "src"), { recursive: true });
  await cp(join(greeting, "config/samples"), join(project, "config/samples"), { recursive: true });
  await cp(join(import.meta.dirname, "consumer"), project, { recursive: true });
  await writeJson("package.json", {
    private: true,
    type: "module",
    ...dependencies(),
    // client-node's declarations name those of ws, which it does not bring: whoever checks libraries adds them.
    devDependencies: { ...(await versionsHere(["typescript", "@types/node"])), "@types/ws": "8.18.2" },
  });
  for (const [name, module] of [
    ["nodenext", "nodenext"],
    ["bundler", "preserve"],
  ])
    await writeJson(`tsconfig.${name}.json`, {
      compilerOptions: { ...compilerOptions, module, moduleResolution: name },
      include: ["src", "*.ts"],
    });
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"]);
});

afterAll(() => rm(project, { recursive: true, force: true }));

/** Platform packages as they are named by envtest: npm takes the one for this machine. */
function dependencies(): object {
  const tarballs = Object.entries(inject("tarballs")).map(([name, path]) => [name, `file:${path}`] as const);
  const isPlatform = ([name]: readonly [string, string]): boolean => name.startsWith("@trimtab/control-plane-");
  return {
    dependencies: Object.fromEntries(tarballs.filter((each) => !isPlatform(each))),
    optionalDependencies: Object.fromEntries(tarballs.filter(isPlatform)),
  };
}

async function versionsHere(names: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const versions = names.map(async (name) => {
    const manifest = await readFile(join(root, "node_modules", name, "package.json"), "utf8");
    return [name, JSON.parse(manifest).version] as const;
  });
  return Object.fromEntries(await Promise.all(versions));
}

async function writeJson(name: string, value: unknown): Promise<void> {
  await writeFile(join(project, name), JSON.stringify(value));
}

/** No Go on the PATH, no cache, and no programs but what npm has brought. */
async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { KUBEBUILDER_ASSETS: _assets, ...inherited } = process.env;
  // Programs from npm are run by the Node that runs this.
  inherited["PATH"] = `${dirname(process.execPath)}:${inherited["PATH"]}`;
  const { stdout } = await execute(program, [...args], { cwd: project, env: { ...inherited, ...env } }).catch(
    (cause) => {
      throw new Error(`${program} ${args.join(" ")}: ${cause.stdout}${cause.stderr}`, { cause });
    },
  );
  return stdout;
}

const bin = (name: string): string => join(project, "node_modules/.bin", name);

describe("An empty project that installs the packages", () => {
  it.each(["nodenext", "bundler"])("type-checks under moduleResolution %s", async (resolution) => {
    expect(await run(bin("tsc"), ["-p", `tsconfig.${resolution}.json`])).toBe("");
  });

  it("has the programs for this machine, and those for no other", async () => {
    const { stdout } = await execute("ls", [join(project, "node_modules/@trimtab")]);
    const platforms = stdout.split("\n").filter((name) => name.startsWith("control-plane-"));
    expect(platforms.map((name) => `@trimtab/${name}`)).toEqual([platformPackage()]);
  });

  it("generates the CRD of the README's operator, and runs it on the control plane that npm has brought", async () => {
    await run(bin("trimtab-codegen"), ["src/api/v1alpha1", "config/crd/bases"]);
    const crd = "config/crd/bases/example.com_greetings.yaml";
    expect(await readFile(join(project, crd), "utf8")).toBe(
      await readFile(join(root, "examples/greeting", crd), "utf8"),
    );

    const env = { PATH: "/usr/bin:/bin", XDG_CACHE_HOME: join(project, "cache") };
    const { greeting, end, kubectl } = JSON.parse(await run(process.execPath, ["greet.ts"], env));
    expect(greeting).toBe("Hello, world!\nHello, world!\n");
    expect(end).toBe("exit code 0");
    expect(dirname(kubectl[0])).toBe(join(project, "node_modules", platformPackage(), "bin"));
  });
});
