import { atMostEvery } from "./at-most-every.ts";
import { startControlPlane } from "./control-plane.ts";
import { elapsed } from "./elapsed.ts";

/** `npm run cluster`: a control plane for a developer, until Ctrl-C. */
const startedMs = performance.now();
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());

const { stdout } = process;
const erase = stdout.isTTY ? "\r\u001b[2K" : "";
const onProgress = stdout.isTTY
  ? (line: string): void => void stdout.write(`${erase}${line}`)
  : atMostEvery(10_000, (line) => stdout.write(`${line}\n`));
try {
  const controlPlane = await startControlPlane({
    onProgress,
    signal: stop.signal,
  });
  const server = controlPlane.kubeConfig.getCurrentCluster()?.server;
  stdout.write(`${erase}A control plane is up at ${server}, after ${elapsed(performance.now() - startedMs)}.

  export KUBECONFIG=${controlPlane.kubeconfigPath}
  alias kubectl=${controlPlane.kubectl.join(" ")}

Ctrl-C ends it, and nothing of it stays behind.
`);
  // A signal's listener alone does not keep a process running.
  const hour = setInterval(() => {}, 3_600_000);
  await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
  clearInterval(hour);
  await controlPlane.stop();
} catch (error) {
  if (!stop.signal.aborted) {
    process.stderr.write(`${erase}${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
