export { createManager, shutdownSignal } from "./manager.ts";
export type { LeaderElectionOptions, Manager, ManagerOptions } from "./manager.ts";
export { runOperator } from "./run-operator.ts";
export type { OperatorOptions } from "./run-operator.ts";
