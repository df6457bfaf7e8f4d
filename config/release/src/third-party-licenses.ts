import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { goArchitecture, type Platform } from "@trimtab/envtest/programs";

const execute = promisify(execFile);
const licence = /^(licen[cs]e|copying|notice|patents)([.-]|$)/i;
const modules = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}";

export interface ThirdPartyLicensesOptions {
  /** The Go module's folder. */
  readonly directory: string;
  /** What it is built for. */
  readonly platform: Platform;
  /** Where `PATH` says which Go it is. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The licences and notices of all that Go links into a program, module by module: they must go with it wherever it goes.
 *
 * @throws {Error} if a module has none, because it may then not be published
 */
export async function thirdPartyLicenses({ directory, platform, env }: ThirdPartyLicensesOptions): Promise<string> {
  const target = { CGO_ENABLED: "0", GOOS: platform.os, GOARCH: goArchitecture(platform), GOWORK: "off" };
  const options = { cwd: directory, env: { ...env, ...target }, maxBuffer: 64 << 20 };
  const { stdout } = await execute("go", ["list", "-deps", "-f", modules, "."], options);
  const { stdout: root } = await execute("go", ["env", "GOROOT"], options);
  const linked = new Map([["Go", root.trim()]]);
  for (const line of stdout.split("\n")) {
    const [module = "", folder = ""] = line.split("\t");
    if (module !== "") linked.set(module, folder);
  }
  const texts: string[] = [];
  for (const [module, folder] of [...linked].sort(([a], [b]) => (a < b ? -1 : 1)))
    texts.push(`${module}\n\n${await licencesIn(module, folder)}`);
  return texts.join(`\n${"=".repeat(80)}\n\n`);
}

async function licencesIn(module: string, folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => licence.test(name)).sort();
  if (names.length === 0) throw new Error(`${module} in ${folder} has no licence: say so upstream, or do without it`);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).join("\n");
}
