import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

export interface CommandOptions {
  /** What the program finds in its environment, whole. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** @default this process's */
  readonly directory?: string;
  /** Told of each line as the program writes it, on either output. */
  readonly onLine?: (line: string) => void;
  /** Ends the program. */
  readonly signal?: AbortSignal | undefined;
}

const shownLines = 30;

/**
 * Runs a program to its end.
 *
 * @returns what it wrote to its standard output
 * @throws {Error} if it cannot be run or fails, with the end of what it wrote; the signal's reason once that is aborted
 */
export async function run(command: readonly string[], options: CommandOptions): Promise<string> {
  const { env, directory, onLine = () => {}, signal } = options;
  signal?.throwIfAborted();
  const [program = "", ...args] = command;
  const child = spawn(program, args, { env, cwd: directory, stdio: ["ignore", "pipe", "pipe"] });
  const end = (): void => void child.kill();
  signal?.addEventListener("abort", end, { once: true });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => {
      for (const line of chunk.split("\n")) if (line.trim() !== "") onLine(line.trim());
    });
  }
  try {
    const exit = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
      child.on("error", (cause) => reject(new Error(`cannot run ${program}: ${cause.message}`, { cause })));
      child.on("close", (code, by) => resolve(code ?? by));
    });
    const [outcome, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
    signal?.throwIfAborted();
    if (outcome === 0) return stdout;
    const shown = `${stdout}\n${stderr}`.trim().split("\n").slice(-shownLines).join("\n");
    throw new Error(`${command.join(" ")}\nended with ${outcome}:\n${shown}`);
  } finally {
    signal?.removeEventListener("abort", end);
  }
}
