import { dirname, join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { startControlPlane } from "@trimtab/envtest";
import { showStep } from "@trimtab/tooling/step";

/** An API server to play on. */
export interface Cluster {
  readonly kubeConfig: KubeConfig;
  readonly kubeconfigPath: string;
  /** The program that is kubectl, and what its environment needs. */
  readonly kubectl: readonly string[];
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Whether the cluster was there before, and has other work to do. */
  readonly shared: boolean;
  /** How long a step may take until its claim holds. */
  readonly stepTimeoutMs: number;
  stop(): Promise<void>;
}

/** A control plane that lives as long as the demo. */
export async function startCluster(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Cluster> {
  const controlPlane = await showStep("control plane", (onProgress) => startControlPlane({ onProgress, signal }));
  const { kubeConfig, kubeconfigPath, kubectl } = controlPlane;
  return {
    kubeConfig,
    kubeconfigPath,
    kubectl,
    // What kubectl learns of this API server goes when the API server goes.
    env: { ...env, KUBECONFIG: kubeconfigPath, KUBECACHEDIR: join(dirname(kubeconfigPath), "kubectl") },
    shared: false,
    stepTimeoutMs: 30_000,
    stop: () => controlPlane.stop(),
  };
}

/** The cluster that a kubeconfig's current context names. */
export function userCluster(kubeconfigPath: string, env: NodeJS.ProcessEnv): Cluster {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(kubeconfigPath);
  return {
    kubeConfig,
    kubeconfigPath,
    kubectl: ["kubectl"],
    env: { ...env, KUBECONFIG: kubeconfigPath },
    shared: true,
    // Images have to be pulled, and pods take their time to end.
    stepTimeoutMs: 180_000,
    stop: async () => {},
  };
}
