import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { KubeConfig } from "@kubernetes/client-node";
import { type ApiAccess, apiRequest } from "./api-request.ts";
import { ApiServer } from "./api-server.ts";
import type { AuditEvent } from "./audit-event.ts";
import { AuditLog } from "./audit-log.ts";
import { type Environment, environment } from "./environment.ts";
import { findPrograms } from "./find-programs.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { ProcessKeeper } from "./process-keeper.ts";
import { type Programs, programNames } from "./program-name.ts";

export interface ControlPlaneOptions {
  /** Controllers of kube-controller-manager to run, by its names. @default those that operators lean on; `[]` runs none */
  readonly controllers?: readonly string[];
  /** Whether pods are bound, started and ended, as kubelets would. @default true */
  readonly kubelet?: boolean;
  /** Admission plugins beyond the API server's own defaults. */
  readonly enableAdmissionPlugins?: readonly string[];
  /** Told of each step, for a person who waits. */
  readonly onProgress?: (line: string) => void;
  /** Ends the start; once it has started, use `stop`. */
  readonly signal?: AbortSignal;
  /** Where `KUBEBUILDER_ASSETS`, `XDG_CACHE_HOME` and `PATH` are looked up. @default the process's environment */
  readonly env?: Environment;
}

export interface ControlPlane {
  readonly kubeConfig: KubeConfig;
  readonly kubeconfigPath: string;
  /** The command that is kubectl, with its leading arguments; takes `--kubeconfig`. */
  readonly kubectl: readonly string[];
  /** What the API server writes its audit log to: a JSON `AuditEvent` a line. */
  readonly auditLogPath: string;
  /** Requests as the audit log has them, oldest first. */
  auditEvents(): Promise<readonly AuditEvent[]>;
  /** Ends kube-apiserver, and starts it again on the same data and port. */
  readonly apiServer: { stop(): Promise<void>; start(): Promise<void>; pause(): void; resume(): void };
  stop(): Promise<void>;
}

const defaultControllers = [
  "deployment-controller",
  "disruption-controller",
  "garbage-collector-controller",
  "namespace-controller",
  "replicaset-controller",
  "serviceaccount-controller",
  "statefulset-controller",
];

const node = "node-1";
/** Pods are refused until the service account that they run as is there. */
const defaultServiceAccount = "/api/v1/namespaces/default/serviceaccounts/default";

/**
 * Starts etcd, kube-apiserver with RBAC, and kube-controller-manager, on the loopback interface and in a temporary folder. Nothing
 * of it is left once `stop` has resolved, or once this process has ended, in whatever way.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { env = environment(), controllers = defaultControllers, onProgress = () => {}, signal } = options;
  signal?.throwIfAborted();
  const names = programNames.filter((name) => name !== "kube-controller-manager" || controllers.length > 0);
  const programs = await findPrograms({ env, names, onProgress, signal });
  const keeper = await ProcessKeeper.start();
  try {
    return await startIn(keeper, programs, options);
  } catch (error) {
    await keeper.end();
    throw error;
  }
}

async function startIn(
  keeper: ProcessKeeper,
  programs: Programs,
  { controllers = defaultControllers, kubelet = true, enableAdmissionPlugins = [], signal }: ControlPlaneOptions,
): Promise<ControlPlane> {
  const { directory } = keeper;
  const clientModule = import("@kubernetes/client-node");
  const etcd = `unix://${join(directory, "etcd.sock")}`;
  const givesServiceAccounts = controllers.includes("serviceaccount-controller");
  const apiServer = await ApiServer.prepare({
    keeper,
    command: [programs["kube-apiserver"]],
    etcd,
    enableAdmissionPlugins,
    // It refuses pods in a namespace without the account that this controller makes.
    disableAdmissionPlugins: givesServiceAccounts ? [] : ["ServiceAccount"],
  });
  await keeper.run("etcd", etcdCommand(programs, etcd));
  await apiServer.start(signal);

  const kubeconfigPath = join(directory, "kubeconfig");
  await writeKubeconfig(kubeconfigPath, apiServer.access, "admin");
  if (controllers.length > 0) {
    await keeper.run("kube-controller-manager", [
      programs["kube-controller-manager"],
      `--kubeconfig=${kubeconfigPath}`,
      `--controllers=${controllers.join(",")}`,
      "--leader-elect=false",
      "--secure-port=0",
      "--kube-api-qps=5000",
      "--kube-api-burst=10000",
    ]);
  }
  if (kubelet) await keeper.run("kubelet", kubeletCommand(kubeconfigPath));
  await apiServer.whenReady(signal);
  if (givesServiceAccounts) await untilThere(apiServer.access, defaultServiceAccount, signal);
  if (kubelet) await untilThere(apiServer.access, `/api/v1/nodes/${node}`, signal);

  const { KubeConfig } = await clientModule;
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(kubeconfigPath);
  const auditLogPath = join(directory, "audit.log");
  const auditLog = new AuditLog(auditLogPath);
  return {
    kubeConfig,
    kubeconfigPath,
    kubectl: [programs.kubectl],
    auditLogPath,
    auditEvents: () => auditLog.events(),
    apiServer: {
      stop: () => apiServer.stop(),
      start: async () => {
        await apiServer.start();
        await apiServer.whenReady();
      },
      pause: () => apiServer.pause(),
      resume: () => apiServer.resume(),
    },
    stop: () => keeper.end(),
  };
}

function etcdCommand(programs: Programs, url: string): readonly string[] {
  // Sockets in the temporary folder: no port to be taken, and no other user who could read what is stored.
  const peer = "unix://peer.sock";
  return [
    programs.etcd,
    "--name=default",
    "--data-dir=etcd",
    "--unsafe-no-fsync",
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ];
}

function kubeletCommand(kubeconfigPath: string): readonly string[] {
  const extension = extname(import.meta.url);
  const conditions = extension === ".ts" ? ["--conditions=@trimtab/source"] : [];
  const main = fileURLToPath(new URL(`./kubelet-main${extension}`, import.meta.url));
  return [process.execPath, ...conditions, main, kubeconfigPath, node];
}

/** Resolves once the API server has this object. */
async function untilThere(access: ApiAccess, path: string, signal?: AbortSignal): Promise<void> {
  while ((await apiRequest(access, { path, signal })).code !== 200) {
    await sleep(20, undefined, { ...(signal && { signal }) });
  }
}
