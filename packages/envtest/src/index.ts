export type { AuditEvent } from "./audit-event.ts";
export type { ControlPlane, ControlPlaneOptions } from "./control-plane.ts";
export { startControlPlane } from "./control-plane.ts";
export type { OperatorProcess, OperatorProcessOptions } from "./operator-process.ts";
export { startOperator } from "./operator-process.ts";
