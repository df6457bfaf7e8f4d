import { type ApiAccess, apiRequest } from "./api-request.ts";
import type { ProcessKeeper } from "./process-keeper.ts";
import { whileRunning } from "./while-running.ts";

export interface ControllerManagerOptions {
  readonly program: string;
  readonly kubeconfigPath: string;
  readonly access: ApiAccess;
  /** By upstream's names. */
  readonly controllers: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** The controllers that operators lean on. */
export const defaultControllers: readonly string[] = [
  "clusterrole-aggregation-controller",
  "deployment-controller",
  "disruption-controller",
  "garbage-collector-controller",
  "namespace-controller",
  "replicaset-controller",
  "resourcequota-controller",
  "serviceaccount-controller",
  "statefulset-controller",
];

/** Whether these make the service account that pods run as, without which the admission plugin ServiceAccount refuses them. */
export function makeServiceAccounts(controllers: readonly string[]): boolean {
  return controllers.includes("serviceaccount-controller") || controllers.includes("*");
}

/** Starts kube-controller-manager; resolves once pods are let into the default namespace, if it has to do with that. */
export async function startControllerManager(keeper: ProcessKeeper, options: ControllerManagerOptions): Promise<void> {
  const { program, kubeconfigPath, access, controllers, signal } = options;
  const manager = await keeper.run("kube-controller-manager", [
    program,
    `--kubeconfig=${kubeconfigPath}`,
    `--controllers=${controllers.join(",")}`,
    "--leader-elect=false",
    "--secure-port=0",
    "--kube-api-qps=5000",
    "--kube-api-burst=10000",
  ]);
  if (!makeServiceAccounts(controllers)) return;
  const path = "/api/v1/namespaces/default/serviceaccounts/default";
  await whileRunning(manager, async () => (await apiRequest(access, { path, signal })).code === 200, signal);
}
