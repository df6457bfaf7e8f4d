import { createClient, loadConnection } from "@trimtab/client";
import { runKubelet } from "./kubelet.ts";

/** `kubelet-main KUBECONFIG NODE`: the kubelet as a process of its own, which no busy test keeps waiting. */
const [, , kubeconfig, node = ""] = process.argv;
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const connection = await loadConnection({ kubeconfig, env: {} });
const client = createClient({ connection, userAgent: "trimtab-kubelet", fieldManager: "kubelet" });
await runKubelet({ client, node }, stop.signal);
client.close();
