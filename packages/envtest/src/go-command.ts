import { readFile } from "node:fs/promises";
import type { Environment } from "./environment.ts";
import { goArchitecture, type Platform, thisPlatform } from "./platform.ts";
import { ProcessKeeper } from "./process-keeper.ts";

export interface GoCommandOptions {
  /** The module's folder. */
  readonly directory: string;
  /** Where `PATH` says which Go it is, and Go finds its settings and the user's own caches. */
  readonly env: Environment;
  /** What to build for. @default this machine */
  readonly platform?: Platform | undefined;
  /** Told, once a second and at the end, the lines it has written so far. */
  readonly onLines: (lines: readonly string[]) => void;
  readonly signal?: AbortSignal | undefined;
}

const progressMs = 1_000;

/**
 * Runs Go to its end, for no longer than this process lives, and returns the lines it wrote.
 *
 * @throws {Error} if there is no Go on the PATH, or it fails, with the last of what it wrote
 */
export async function goCommand(args: readonly string[], options: GoCommandOptions): Promise<readonly string[]> {
  const { directory, onLines, signal } = options;
  signal?.throwIfAborted();
  const keeper = await ProcessKeeper.start();
  const abort = (): void => void keeper.end();
  signal?.addEventListener("abort", abort);
  let timer: NodeJS.Timeout | undefined;
  try {
    const go = await keeper
      .run("go", ["go", ...args], { directory, env: goEnvironment(options, keeper.directory) })
      .catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw new Error("there is no go on the PATH", { cause });
      });
    const linesSoFar = async (): Promise<readonly string[]> =>
      (await readFile(go.logPath, "utf8")).split("\n").filter((line) => line !== "");
    timer = setInterval(async () => onLines(await linesSoFar().catch(() => [])), progressMs);
    const how = await go.exited;
    signal?.throwIfAborted();
    if (how !== "exit code 0") throw new Error(`go ${args[0]} ended (${how}): ${await go.logTail()}`);
    const lines = await linesSoFar();
    onLines(lines);
    return lines;
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", abort);
    await keeper.end();
  }
}

/** What a user has set for other builds must not change this one. */
function goEnvironment({ env, platform = thisPlatform }: GoCommandOptions, temporaryFolder: string): Environment {
  return {
    ...env,
    CGO_ENABLED: "0",
    GOOS: platform.os,
    GOARCH: goArchitecture(platform),
    GOFLAGS: "-mod=readonly",
    GOWORK: "off",
    GOTMPDIR: temporaryFolder,
  };
}
