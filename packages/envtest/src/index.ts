export type { AuditEvent } from "./audit-event.ts";
export type { ControlPlane, ControlPlaneOptions } from "./control-plane.ts";
export { startControlPlane } from "./control-plane.ts";
export type { CreateNamespaceOptions } from "./namespace.ts";
export { createNamespace } from "./namespace.ts";
export type { OperatorProcess, OperatorProcessOptions } from "./operator-process.ts";
export { startOperator } from "./operator-process.ts";
export type { ServiceAccountKubeconfigOptions } from "./service-account-kubeconfig.ts";
export { serviceAccountKubeconfig } from "./service-account-kubeconfig.ts";
