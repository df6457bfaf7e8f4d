import { join } from "node:path";
import type { KeptProcess, ProcessKeeper } from "./process-keeper.ts";

/** Where etcd listens: a socket in the temporary folder, so that no port can be taken, and no other user reads what is stored. */
export function etcdUrl({ directory }: ProcessKeeper): string {
  return `unix://${join(directory, "etcd.sock")}`;
}

export async function startEtcd(keeper: ProcessKeeper, program: string): Promise<KeptProcess> {
  const url = etcdUrl(keeper);
  const peer = "unix://peer.sock";
  return keeper.run("etcd", [
    program,
    "--name=default",
    "--data-dir=etcd",
    "--unsafe-no-fsync",
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ]);
}
