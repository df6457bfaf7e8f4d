import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Environment } from "./environment.ts";
import type { KeeperMessage, KeeperRequest } from "./keeper-protocol.ts";

/** A program that a `ProcessKeeper` has started. */
export interface KeptProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves, with how it ended, once it has; never rejects. */
  readonly exited: Promise<string>;
  kill(signal: NodeJS.Signals): void;
  readonly logPath: string;
  /** The last lines of what it wrote. */
  logTail(): Promise<string>;
}

export interface RunOptions {
  /** @default none: etcd takes its configuration from any variable that begins with ETCD_ */
  readonly env?: Environment;
  /** Where it runs. @default the keeper's own folder */
  readonly directory?: string;
}

interface Start {
  readonly name: string;
  resolve(started: KeptProcess): void;
  reject(error: Error): void;
}

function logOf(name: string): string {
  return `${name}.log`;
}

/**
 * Programs that do not outlive this process, and the temporary folder they work in.
 *
 * - However this process ends, SIGKILL included, they are killed and the folder is removed: a small process beside it,
 *   the keeper, sees to that.
 * - Should the keeper itself be killed, this process does it in its place.
 */
export class ProcessKeeper {
  /** Where the programs run; only the user may read it. */
  readonly directory: string;
  readonly #keeper: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #starts = new Map<number, Start>();
  readonly #exits = new Map<number, (how: string) => void>();
  #lastId = 0;

  private constructor(keeper: ChildProcess, directory: string) {
    this.#keeper = keeper;
    this.directory = directory;
    keeper.on("message", (message: KeeperMessage) => this.#hear(message));
    this.#exited = once(keeper, "exit").then(() => this.#clearAway());
  }

  static async start(): Promise<ProcessKeeper> {
    const program = fileURLToPath(new URL(`./keeper${extname(import.meta.url)}`, import.meta.url));
    const keeper = spawn(process.execPath, [program, tmpdir()], {
      // In a session of its own, where no Ctrl-C reaches it.
      detached: true,
      env: {},
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const early = new AbortController();
    const exit = once(keeper, "exit", { signal: early.signal }).then(([code, signal]) => {
      throw new Error(`the process that keeps the control plane ended at its start (${code ?? signal})`);
    });
    try {
      const [message] = (await Promise.race([once(keeper, "message"), exit])) as [KeeperMessage];
      if (message.type !== "ready") throw new Error(`unexpected first message of the keeper: ${message.type}`);
      return new ProcessKeeper(keeper, message.directory);
    } finally {
      early.abort();
      exit.catch(() => {});
    }
  }

  /** Starts a program; what it writes goes to `<name>.log`. */
  async run(name: string, command: readonly string[], options: RunOptions = {}): Promise<KeptProcess> {
    const { env = {}, directory = this.directory } = options;
    const id = ++this.#lastId;
    return new Promise<KeptProcess>((resolve, reject) => {
      this.#starts.set(id, { name, resolve, reject });
      this.#ask({ type: "start", id, command, log: logOf(name), env, directory });
    }).catch((cause: Error) => {
      throw new Error(`cannot run ${command[0]}: ${cause.message}`, { cause });
    });
  }

  /** Resolves once no program is left, and no folder. */
  async end(): Promise<void> {
    if (this.#keeper.connected) this.#ask({ type: "end" });
    await this.#exited;
  }

  #ask(request: KeeperRequest): void {
    this.#keeper.send(request, (error) => {
      if (error !== null && request.type === "start") this.#starts.get(request.id)?.reject(error);
    });
  }

  #hear(message: KeeperMessage): void {
    switch (message.type) {
      case "started":
        this.#started(message);
        return;
      case "failed":
        this.#starts.get(message.id)?.reject(new Error(message.message));
        this.#starts.delete(message.id);
        return;
      case "exited":
        this.#exits.get(message.pid)?.(`${message.signal ?? `exit code ${message.code}`}`);
        this.#exits.delete(message.pid);
        return;
      case "ready":
    }
  }

  #started({ id, pid }: KeeperMessage & { type: "started" }): void {
    const start = this.#starts.get(id);
    this.#starts.delete(id);
    if (start === undefined) return;
    const logPath = join(this.directory, logOf(start.name));
    const exited = new Promise<string>((resolve) => this.#exits.set(pid, resolve));
    start.resolve({
      name: start.name,
      pid,
      exited,
      kill: (signal) => {
        if (this.#exits.has(pid)) process.kill(pid, signal);
      },
      logPath,
      logTail: async () => (await readFile(logPath, "utf8")).trimEnd().split("\n").slice(-20).join("\n"),
    });
  }

  /** After a keeper that has done its work, this finds nothing to do. */
  #clearAway(): void {
    for (const [pid, resolve] of this.#exits) {
      try {
        process.kill(-pid, "SIGKILL");
      } catch {
        // It has ended already.
      }
      resolve("SIGKILL");
    }
    this.#exits.clear();
    for (const { reject } of this.#starts.values())
      reject(new Error("the process that keeps the control plane has ended"));
    this.#starts.clear();
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
