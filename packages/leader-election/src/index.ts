export type { ElectionTimingOptions } from "./election-timing.ts";
export type { LeaderElectorOptions } from "./leader-elector.ts";
export { LeaderElector } from "./leader-elector.ts";
export { leaseAccess } from "./lease-access.ts";
export { LeaseLostError } from "./lease-lost-error.ts";
