import { execFile } from "node:child_process";

export interface KubectlResult {
  /** Whether it ended with exit code 0. */
  readonly ok: boolean;
  /** All that it wrote, without the line end at its end. */
  readonly output: string;
}

/** Runs kubectl to its end; a non-zero exit code is an answer, not an error. */
export type Kubectl = (args: readonly string[], signal: AbortSignal) => Promise<KubectlResult>;

/** @param command the program that is kubectl, and its leading arguments */
export function createKubectl(command: readonly string[], env: Readonly<NodeJS.ProcessEnv>): Kubectl {
  const [program = "kubectl", ...leading] = command;
  return (args, signal) =>
    new Promise((resolve, reject) => {
      execFile(program, [...leading, ...args], { env, signal }, (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== "number")
          reject(new Error(`cannot run ${program}`, { cause: error }));
        else resolve({ ok: error === null, output: (stdout + stderr).trimEnd() });
      });
    });
}
