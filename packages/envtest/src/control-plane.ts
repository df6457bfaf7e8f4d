import { join } from "node:path";
import type { KubeConfig } from "@kubernetes/client-node";
import { ApiServer } from "./api-server.ts";
import type { AuditEvent } from "./audit-event.ts";
import { AuditLog } from "./audit-log.ts";
import { defaultControllers, makeServiceAccounts, startControllerManager } from "./controller-manager.ts";
import { type Environment, environment } from "./environment.ts";
import { etcdUrl, startEtcd } from "./etcd.ts";
import { findPrograms } from "./find-programs.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { startKubelet } from "./kubelet-process.ts";
import { ProcessKeeper } from "./process-keeper.ts";
import { type Programs, programNames } from "./program-name.ts";

export interface ControlPlaneOptions {
  /** Controllers of kube-controller-manager to run, by its names. @default those that operators lean on; `[]` runs none */
  readonly controllers?: readonly string[];
  /** Whether pods are bound, started and ended, as kubelets would. @default true */
  readonly kubelet?: boolean;
  /** Admission plugins beyond the API server's own defaults. */
  readonly enableAdmissionPlugins?: readonly string[];
  /** Features of the API server to switch on or off, by upstream's names. @default upstream's choice */
  readonly featureGates?: Readonly<Record<string, boolean>>;
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
  /** Requests as the audit log has them, oldest first: all that were answered before the call. */
  auditEvents(): Promise<readonly AuditEvent[]>;
  /** Ends kube-apiserver, and starts it again on the same data and port. */
  readonly apiServer: { stop(): Promise<void>; start(): Promise<void>; pause(): void; resume(): void };
  stop(): Promise<void>;
}

/**
 * Starts etcd, kube-apiserver with RBAC, and kube-controller-manager, on the loopback interface and in a temporary folder. Nothing
 * of it is left once `stop` has resolved, or once this process has ended, in whatever way.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { env = environment(), controllers = defaultControllers, onProgress = () => {}, signal } = options;
  signal?.throwIfAborted();
  const names = programNames.filter((name) => name !== "kube-controller-manager" || controllers.length > 0);
  const programs = await findPrograms({ env, names, onProgress, signal });
  onProgress("starting the control plane");
  const keeper = await ProcessKeeper.start();
  try {
    return await startIn(keeper, programs, { ...options, controllers });
  } catch (error) {
    await keeper.end();
    // What was waited for fails with an error of its own when it is aborted.
    signal?.throwIfAborted();
    throw error;
  }
}

async function startIn(
  keeper: ProcessKeeper,
  programs: Programs,
  options: ControlPlaneOptions & { readonly controllers: readonly string[] },
): Promise<ControlPlane> {
  const { controllers, kubelet = true, enableAdmissionPlugins = [], featureGates = {}, signal } = options;
  const clientModule = import("@kubernetes/client-node");
  const apiServer = await ApiServer.prepare({
    keeper,
    program: programs["kube-apiserver"],
    etcd: etcdUrl(keeper),
    enableAdmissionPlugins,
    featureGates,
    disableAdmissionPlugins: makeServiceAccounts(controllers) ? [] : ["ServiceAccount"],
  });
  await startEtcd(keeper, programs.etcd);
  await apiServer.start(signal);

  const { access } = apiServer;
  const kubeconfigPath = join(keeper.directory, "kubeconfig");
  await writeKubeconfig(kubeconfigPath, access, "admin");
  const program = programs["kube-controller-manager"];
  await Promise.all([
    apiServer.whenReady(signal),
    controllers.length > 0 && startControllerManager(keeper, { program, kubeconfigPath, access, controllers, signal }),
    kubelet && startKubelet(keeper, { kubeconfigPath, access, signal }),
  ]);

  const { KubeConfig } = await clientModule;
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(kubeconfigPath);
  const auditLogPath = join(keeper.directory, "audit.log");
  const auditLog = new AuditLog(auditLogPath, access);
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
