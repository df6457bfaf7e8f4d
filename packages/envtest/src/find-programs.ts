import { access, constants, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { buildPrograms } from "./built-programs.ts";
import { type ControlPlaneModule, readControlPlaneModule } from "./control-plane-module.ts";
import { type Environment, environment } from "./environment.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { platformFolder, programsOfPackage } from "./platform-package.ts";
import { type ProgramName, type Programs, programNames } from "./program-name.ts";
import { downloadPrograms, type ReleaseSites, releaseSites } from "./released-programs.ts";
import { userCache } from "./user-cache.ts";

export interface FindProgramsOptions {
  /** @default the process's environment */
  readonly env?: Environment;
  /** @default all */
  readonly names?: readonly ProgramName[];
  /** Told of downloads and of the build, for a person who waits. @default nobody */
  readonly onProgress?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Where released binaries are. @default the projects' own sites */
  readonly sites?: ReleaseSites;
  /** How long a site has to answer, before the next way is tried. @default 5_000 */
  readonly patienceMs?: number;
  /** The Go module to build from. @default this package's */
  readonly module?: ControlPlaneModule;
  /** Where the platform package is. @default where npm has put it */
  readonly packageFolder?: string | undefined;
}

/**
 * The programs of a control plane: those of the folder that `KUBEBUILDER_ASSETS` names, else those of the platform package
 * that npm has brought with this one, else those in the user's cache, which is filled with released binaries or, where they
 * cannot be had, by a build with the Go on `PATH`.
 *
 * @throws {AggregateError} if there is no way, saying what was tried and what to install
 */
export async function findPrograms(options: FindProgramsOptions = {}): Promise<Programs> {
  const { env = environment(), names = programNames } = options;
  const { KUBEBUILDER_ASSETS: assets = "" } = env;
  const given = assets === "" ? {} : await programsIn(assets, names);
  const missing = names.filter((name) => given[name] === undefined);
  const others = missing.length === 0 ? {} : await otherPrograms(missing, { ...options, env });
  return { ...others, ...given } as Programs;
}

async function otherPrograms(
  names: readonly ProgramName[],
  options: FindProgramsOptions & { readonly env: Environment },
): Promise<Partial<Programs>> {
  const { module = await readControlPlaneModule(), packageFolder = platformFolder() } = options;
  let lack: Error;
  try {
    const directory = await programsOfPackage(packageFolder, module.key);
    const packed = await programsIn(directory, names);
    if (isComplete(packed, names)) return packed;
    lack = new Error(`not all are in ${directory}`);
  } catch (error) {
    lack = error as Error;
  }
  return cachedPrograms(names, { ...options, module, lack });
}

interface CacheOptions extends FindProgramsOptions {
  readonly env: Environment;
  readonly module: ControlPlaneModule;
  /** Why the platform package's are not taken. */
  readonly lack: Error;
}

async function cachedPrograms(names: readonly ProgramName[], options: CacheOptions): Promise<Partial<Programs>> {
  const { env, onProgress = () => {}, signal, module } = options;
  const directory = join(userCache(env), "trimtab", "control-plane", module.key);
  const cached = await programsIn(directory, names);
  if (isComplete(cached, names)) return cached;
  return await oneAtATime({ directory: `${directory}.lock`, onProgress, signal }, async (tell) => {
    const meanwhile = await programsIn(directory, names);
    if (isComplete(meanwhile, names)) return meanwhile;
    await fill(directory, { ...options, onProgress: tell });
    return programsIn(directory, names);
  });
}

async function programsIn(directory: string, names: readonly ProgramName[]): Promise<Partial<Programs>> {
  const found: Partial<Record<ProgramName, string>> = {};
  for (const name of names) {
    const path = join(directory, name);
    const runs = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) found[name] = path;
  }
  return found;
}

function isComplete(programs: Partial<Programs>, names: readonly ProgramName[]): boolean {
  return names.every((name) => programs[name] !== undefined);
}

type FillOptions = CacheOptions & Required<Pick<FindProgramsOptions, "onProgress">>;

/** The folder appears whole or not at all. */
async function fill(directory: string, options: FillOptions): Promise<void> {
  const partial = `${directory}.partial`;
  const { version } = options.module;
  const ways = [
    { name: "released binaries", take: () => downloadPrograms(partial, { sites: releaseSites, version, ...options }) },
    { name: "a build from Go modules", take: () => buildPrograms(partial, options) },
  ];
  const failures: Error[] = [];
  for (const { name, take } of ways) {
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true });
    try {
      await take();
      await rm(directory, { recursive: true, force: true });
      await rename(partial, directory);
      return;
    } catch (cause) {
      options.signal?.throwIfAborted();
      failures.push(new Error(`${name}: ${cause instanceof Error ? cause.message : cause}`, { cause }));
    }
  }
  await rm(partial, { recursive: true, force: true });
  throw unavailable(directory, options, failures);
}

function unavailable(
  directory: string,
  { env, module, lack }: FillOptions,
  failures: readonly Error[],
): AggregateError {
  const { KUBEBUILDER_ASSETS: assets = "" } = env;
  const tried = [
    assets === "" ? "KUBEBUILDER_ASSETS: not set" : `KUBEBUILDER_ASSETS: not all are in ${assets}`,
    `the platform package: ${lack.message}`,
    `the cache: not all are in ${directory}`,
    ...failures.map(({ message }) => message.replaceAll("\n", "\n    ")),
  ];
  const needed = `${programNames.slice(0, -1).join(", ")} and ${programNames.at(-1)}`;
  return new AggregateError(
    failures,
    `no control plane of Kubernetes ${module.version} can be had; tried\n${tried.map((line) => `  ${line}\n`).join("")}` +
      `install Go 1.26 or newer (https://go.dev/dl), or put ${needed} into a folder and name it in KUBEBUILDER_ASSETS`,
  );
}
