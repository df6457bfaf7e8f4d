import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A program that runs until it is ended, and does not outlive this process; what it starts in turn may. */
export class RunningProgram {
  /** Resolves, with how it ended, once it has: an exit code, or a signal's name. */
  readonly exited: Promise<number | NodeJS.Signals>;
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(command: readonly string[], env: Readonly<Record<string, string | undefined>>) {
    const program = ["setpriv", "--pdeathsig=KILL", ...command];
    this.#child = spawn(program[0] ?? "", program.slice(1), { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      let rest = "";
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        this.#lines.push(...lines);
        for (const listener of this.#listeners) listener();
      });
    }
    this.exited = once(this.#child, "close").then(([code, signal]) => code ?? signal);
    this.exited.catch(() => {});
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** What it has written so far, on either output. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Of the program alone. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Resolves once it has written a line that holds `text`. @throws {Error} if it ends before */
  async wrote(text: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = (): void => {
      if (this.#lines.some((line) => line.includes(text))) resolve();
    };
    this.#listeners.add(look);
    look();
    this.exited.then(
      (how) => reject(new Error(`${this.#child.spawnargs.join(" ")} ended with ${how}: ${this.#lines.join("\n")}`)),
      reject,
    );
    await promise.finally(() => this.#listeners.delete(look));
  }
}
