import { symlink } from "node:fs/promises";
import { join } from "node:path";
import type { ControlPlaneModule } from "./control-plane-module.ts";
import { elapsed } from "./elapsed.ts";
import type { Environment } from "./environment.ts";
import { goCommand } from "./go-command.ts";
import type { Platform } from "./platform.ts";
import { programNames } from "./program-name.ts";

export interface BuiltProgramsOptions {
  readonly module: ControlPlaneModule;
  readonly env: Environment;
  /** What to build for. @default this machine */
  readonly platform?: Platform | undefined;
  readonly onProgress: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Builds the one program that is all four, and links it by their names into a folder. What a build that was broken off
 * had done is in Go's own cache, and is not done again.
 *
 * @throws {Error} if there is no Go, or it fails, with the last of what it wrote
 */
export async function buildPrograms(directory: string, options: BuiltProgramsOptions): Promise<void> {
  const { module, env, platform, signal } = options;
  const startedMs = performance.now();
  const tell = (what: string): void => options.onProgress(`${what}, ${elapsed(performance.now() - startedMs)}`);
  const go = { directory: module.directory, env, platform, signal };

  const listed = await goCommand(["list", "-deps", "-trimpath", "-f", packageFormat, "."], {
    ...go,
    onLines: (lines) =>
      tell(`reading Go modules: ${lines.filter((line) => line.startsWith("go: ")).length} downloaded`),
  });
  const packages = listed.filter((line) => line.startsWith(packageMark));
  const cached = packages.filter((line) => line.endsWith("cache")).length;

  const progress = (lines: readonly string[]): void => {
    const done = cached + lines.length;
    const state = done < packages.length ? `${done} of ${packages.length} packages` : "linking";
    tell(`building the control plane: ${state}`);
  };
  progress([]);
  const output = join(directory, "control-plane");
  const stamp = `-ldflags=${linkerFlags(module.version)}`;
  await goCommand(["build", "-v", "-trimpath", stamp, "-o", output, "."], { ...go, onLines: progress });
  for (const name of programNames) await symlink("control-plane", join(directory, name));
}

/** Tells packages from Go's own remarks, which it writes among them. */
const packageMark = "package ";
/** Of what is done already, Go says that it is not stale, or that it is "not installed but available in build cache". */
const packageFormat = `${packageMark}{{if .Stale}}{{.StaleReason}}{{else}}cache{{end}}`;

/** Without a version, clients would take this API server for one of another age. */
function linkerFlags(version: string): string {
  const [major, minor] = version.slice(1).split(".");
  const stamp = (name: string, value: string | undefined): string =>
    `-X k8s.io/component-base/version.${name}=${value}`;
  return ["-s -w", stamp("gitVersion", version), stamp("gitMajor", major), stamp("gitMinor", minor)].join(" ");
}
