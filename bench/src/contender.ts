import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { resolve } from "node:path";

/** A program that does an operator's work, to be measured as a whole process. */
export interface Contender {
  readonly name: string;
  /** How its requests begin their user agent. */
  readonly userAgent: string;
  readonly command: (kubeconfigPath: string) => readonly [string, ...string[]];
}

/** One of our operators as it ships: the bundled file, with its default flags. */
export function ours(operator: string): Contender {
  const main = resolve(import.meta.dirname, "../../operators", operator, "dist/main.js");
  return {
    name: operator,
    userAgent: `${operator}/`,
    command: (kubeconfigPath) => [
      process.execPath,
      main,
      `--kubeconfig=${kubeconfigPath}`,
      "--health-probe-bind-address=0",
      "--log-level=warn",
    ],
  };
}

export interface RunningContender {
  readonly pid: number;
  /** `Date.now()` just before it was started. */
  readonly startedAt: number;
  stop(): Promise<void>;
}

/** Starts it; its output goes to a file. */
export function start(contender: Contender, kubeconfigPath: string, logPath: string): RunningContender {
  const log = openSync(logPath, "a");
  const startedAt = Date.now();
  const [program, ...args] = contender.command(kubeconfigPath);
  const child = spawn(program, args, { stdio: ["ignore", log, log] });
  closeSync(log);
  if (child.pid === undefined) throw new Error(`${program} did not start`);
  return { pid: child.pid, startedAt, stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  await gone;
}
