import { Node } from "@trimtab/apimachinery";
import { type Client, isApiError } from "@trimtab/client";

/** The address of every node, on no network. */
export const hostIP = "10.0.1.1";

const capacity = { cpu: "1k", memory: "1Ti", "ephemeral-storage": "1Ti", pods: "100k" };

/** Registers a node as its kubelet does: ready, without a taint, and with room for whatever comes. */
export async function registerNode(client: Client, name: string, signal: AbortSignal): Promise<void> {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const labels = { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": architecture };
  await client.create(Node, { metadata: { name, labels } }, { signal }).catch((error: unknown) => {
    if (!isApiError(error, "AlreadyExists")) throw error;
  });
  const status = nodeStatus(name, architecture, new Date().toISOString());
  await client.mergePatch(Node, { name }, { status }, { subresource: "status", signal });
  // The API server taints a new node until somebody finds it ready.
  await client.mergePatch(Node, { name }, { spec: { taints: null } }, { signal });
}

function nodeStatus(name: string, architecture: string, now: string): object {
  return {
    capacity,
    allocatable: capacity,
    addresses: [
      { type: "InternalIP", address: hostIP },
      { type: "Hostname", address: name },
    ],
    conditions: [
      {
        type: "Ready",
        status: "True",
        reason: "KubeletReady",
        message: "pods are said to run here",
        lastHeartbeatTime: now,
        lastTransitionTime: now,
      },
    ],
    nodeInfo: {
      architecture,
      bootID: "",
      containerRuntimeVersion: "none://0",
      kernelVersion: "",
      kubeProxyVersion: "",
      kubeletVersion: "stand-in",
      machineID: "",
      operatingSystem: "linux",
      osImage: "none",
      systemUUID: "",
    },
  };
}
