import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import type {} from "@trimtab/envtest/vitest";
import { inject } from "vitest";

/** What kubectl prints on standard output; what it prints on standard error is the error, if it fails. */
export function kubectl(args: readonly string[], input?: object): string {
  const { status, stdout, stderr } = run(args, input);
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** What kubectl prints on standard error, whether or not it fails: refusals, and the API server's warnings. */
export function complaintsOf(args: readonly string[], input?: object): string {
  return run(args, input).stderr;
}

function run(args: readonly string[], input: object | undefined): SpawnSyncReturns<string> {
  const [program = "", ...leading] = inject("kubectl");
  return spawnSync(program, [...leading, `--kubeconfig=${inject("kubeconfigPath")}`, ...args], {
    encoding: "utf8",
    ...(input && { input: JSON.stringify(input) }),
  });
}
