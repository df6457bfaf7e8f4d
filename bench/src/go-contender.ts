import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Contender } from "./contender.ts";

/** The yardstick in Go (bench/go), built into `folder` with the Go on PATH. */
export async function goMemcached(folder: string): Promise<Contender> {
  const binary = join(folder, "go-memcached");
  await promisify(execFile)("go", ["build", "-trimpath", "-ldflags=-s -w", "-o", binary, "."], {
    cwd: resolve(import.meta.dirname, "../go"),
    env: { ...process.env, CGO_ENABLED: "0" },
  });
  return {
    name: "controller-runtime",
    userAgent: "go-memcached-operator/",
    command: (kubeconfigPath) => [binary, `--kubeconfig=${kubeconfigPath}`],
  };
}
