import type { KubeConfig } from "@kubernetes/client-node";

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
}

export interface ControlPlane {
  readonly kubeConfig: KubeConfig;
  readonly kubeconfigPath: string;
  /** The command that is kubectl, with its leading arguments; takes `--kubeconfig`. */
  readonly kubectl: readonly string[];
  /** Requests as the audit log has them, oldest first. */
  auditEvents(): Promise<readonly AuditEvent[]>;
  /** Ends kube-apiserver, and starts it again on the same data and port. */
  readonly apiServer: { stop(): Promise<void>; start(): Promise<void>; pause(): void; resume(): void };
  stop(): Promise<void>;
}

/** One request at its end: `audit.k8s.io/v1 Event`, stage ResponseComplete, level Metadata. */
export interface AuditEvent {
  readonly verb: string;
  readonly userAgent?: string;
  readonly requestURI: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}
export declare function startControlPlane(options?: ControlPlaneOptions): Promise<ControlPlane>;
