import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "./environment.ts";
import { freePort } from "./free-port.ts";
import { type KeptProcess, ProcessKeeper } from "./process-keeper.ts";

export interface OperatorProcessOptions {
  /** The operator's `main.ts`, run from source, or its built `main.js`. */
  readonly main: string;
  readonly kubeconfigPath: string;
  /** Flags beyond `--kubeconfig`, `--health-probe-bind-address` and `--log-format=json`. @default none */
  readonly flags?: readonly string[];
  /** What the operator finds in its environment. @default nothing */
  readonly env?: Environment;
  /** Whether to wait until `/readyz` says yes; if not, only until the process runs. @default true */
  readonly awaitReady?: boolean;
  /** Ends the waiting, and with it the process. */
  readonly signal?: AbortSignal;
}

/** An operator that runs as a process of its own, as it does in a cluster; it never outlives this one. */
export interface OperatorProcess {
  readonly pid: number;
  /** Where `/healthz` and `/readyz` are served: `http://127.0.0.1:<port>`. */
  readonly healthUrl: string;
  /** Resolves, with how the process ended, once it has: `"exit code 0"`, `"SIGKILL"`. */
  readonly exited: Promise<string>;
  /** The lines it has logged so far, each a JSON object. */
  log(): Promise<readonly string[]>;
  /** Resolves once `/readyz` says yes; rejects if the process ends first. */
  whenReady(signal?: AbortSignal): Promise<void>;
  /** Asks it to end, as a kubelet does, and waits. @returns how it ended */
  stop(): Promise<string>;
  /** Ends it by SIGKILL, in the middle of whatever it does. */
  kill(): Promise<void>;
}

/** Run from source, this finds packages beside it that are not built; as users install it, there are none. */
const conditions: readonly string[] = import.meta.url.endsWith(".ts") ? ["--conditions=@trimtab/source"] : [];

/** Starts an operator as a process. Give each one that runs at the same time other objects to look after, by `--namespaces`. */
export async function startOperator(options: OperatorProcessOptions): Promise<OperatorProcess> {
  const { main, kubeconfigPath, flags = [], env = {}, awaitReady = true, signal } = options;
  const keeper = await ProcessKeeper.start();
  try {
    const port = await freePort();
    const command = [
      process.execPath,
      ...conditions,
      main,
      `--kubeconfig=${kubeconfigPath}`,
      `--health-probe-bind-address=127.0.0.1:${port}`,
      "--log-format=json",
      ...flags,
    ];
    const kept = await keeper.run("operator", command, { env });
    const operator = operatorProcess(keeper, kept, `http://127.0.0.1:${port}`);
    if (awaitReady) await operator.whenReady(signal);
    return operator;
  } catch (error) {
    await keeper.end();
    throw error;
  }
}

function operatorProcess(keeper: ProcessKeeper, kept: KeptProcess, healthUrl: string): OperatorProcess {
  let how: string | undefined;
  // The keeper's folder goes with the keeper: what was logged is read before.
  let log: readonly string[] | undefined;
  const readLog = async (): Promise<readonly string[]> =>
    log ?? (await readFile(kept.logPath, "utf8")).split("\n").filter((line) => line !== "");
  const exited = kept.exited.then((end) => {
    how = end;
    return end;
  });
  const end = async (signal: NodeJS.Signals): Promise<string> => {
    kept.kill(signal);
    const end = await exited;
    log = await readLog();
    await keeper.end();
    return end;
  };
  return {
    pid: kept.pid,
    healthUrl,
    exited,
    log: readLog,
    whenReady: async (signal) => {
      while (!(await isOk(`${healthUrl}/readyz`))) {
        if (how !== undefined)
          throw new Error(`the operator ended (${how}) before it was ready: ${await kept.logTail()}`);
        await sleep(20, undefined, { ...(signal && { signal }) });
      }
    },
    stop: () => end("SIGTERM"),
    kill: async () => {
      await end("SIGKILL");
    },
  };
}

async function isOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
