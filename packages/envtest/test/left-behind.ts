import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

/** A program of `test/programs` that runs with a temporary folder of its own. */
export interface Holder {
  readonly process: ChildProcess;
  /** The next line that it says. */
  line(): Promise<string>;
  /** Resolves once nothing is left of it: no process that was told of its temporary folder, and nothing in that. */
  nothingLeft(): Promise<void>;
}

export async function startHolder(program: string): Promise<Holder> {
  const temporary = await mkdtemp(join(tmpdir(), "left-behind-"));
  const main = fileURLToPath(new URL(`./programs/${program}.ts`, import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@trimtab/source", main], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await rm(temporary, { recursive: true, force: true, maxRetries: 10 });
  });
  return {
    process: child,
    line: async () => ((await once(lines, "line")) as [string])[0],
    nothingLeft: async () => {
      while ((await readdir(temporary)).length > 0 || (await mentions(temporary))) await sleep(20);
    },
  };
}

/** Whether any process was started with this text among its arguments. */
async function mentions(text: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-ww", "-o", "args="], { maxBuffer: 1e8 });
  return stdout.includes(text);
}
