export { startControlPlane } from "./control-plane.ts";
export type { AuditEvent, ControlPlane, ControlPlaneOptions } from "./control-plane.ts";
