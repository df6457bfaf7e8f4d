import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { type ApiAccess, apiRequest } from "./api-request.ts";
import type { ProcessKeeper } from "./process-keeper.ts";
import { whileRunning } from "./while-running.ts";

export interface KubeletProcessOptions {
  readonly kubeconfigPath: string;
  readonly access: ApiAccess;
  readonly signal?: AbortSignal | undefined;
}

const node = "node-1";

/** Starts the kubelets' stand-in in a process of its own, which no busy test keeps waiting; resolves once its node is there. */
export async function startKubelet(keeper: ProcessKeeper, options: KubeletProcessOptions): Promise<void> {
  const { kubeconfigPath, access, signal } = options;
  const extension = extname(import.meta.url);
  const conditions = extension === ".ts" ? ["--conditions=@trimtab/source"] : [];
  const main = fileURLToPath(new URL(`./kubelet-main${extension}`, import.meta.url));
  // What it reads, it forgets at once: a large young generation would only keep the litter.
  const flags = ["--max-semi-space-size=2", ...conditions];
  const kubelet = await keeper.run("kubelet", [process.execPath, ...flags, main, kubeconfigPath, node]);
  const path = `/api/v1/nodes/${node}`;
  await whileRunning(kubelet, async () => (await apiRequest(access, { path, signal })).code === 200, signal);
}
