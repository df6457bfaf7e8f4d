import { createInterface } from "node:readline/promises";
import type { Cluster } from "./cluster.ts";

/** Whether somebody agrees to the demo's writing to a cluster of theirs; nobody can, where there is no terminal. */
export async function agreesTo({ kubeConfig }: Cluster, signal: AbortSignal): Promise<boolean> {
  const server = kubeConfig.getCurrentCluster()?.server;
  console.log(`The cluster is at ${server} (context ${kubeConfig.getCurrentContext()}).

  The demo installs three CRDs there, makes namespaces whose names begin with
  trimtab-demo, and runs three operators from this machine that look after
  these namespaces only. At its end it takes away what it has made.
`);
  if (process.stdin.isTTY !== true) {
    console.error("Say --yes to agree: there is no terminal to ask at.");
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // A terminal that asks takes Ctrl-C for itself.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const answer = await terminal.question("Go on? [y/N] ", { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
