import type { ControllerDefinition } from "@trimtab/controller";

/** An operator as a value: `runOperator` runs it, and the RBAC that it needs is read off it. */
export interface Operator {
  /** Names the field manager, the Lease, the user agent and the reporting controller of events. */
  readonly name: string;
  readonly controllers: readonly ControllerDefinition[];
}
