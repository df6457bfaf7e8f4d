import type { WorkqueueObserver } from "@trimtab/workqueue";

/**
 * How a turn of a key ended. A conflict is no error: somebody else wrote first, and the next turn sees it.
 * A terminal error is an error that is not retried.
 */
export type Outcome = "success" | "requeue_after" | "conflict" | "error" | "terminal";

export const outcomes: readonly Outcome[] = ["success", "requeue_after", "conflict", "error", "terminal"];

/** What a controller is at, at the moment it is asked. */
export interface ControllerState {
  readonly name: string;
  /** How many keys wait for a worker. */
  readonly waiting: number;
  readonly maxConcurrentReconciles: number;
  /** For how long each of the reconciles under way has been so. */
  underWayMs(): readonly number[];
}

/** Told what a controller does, for metrics; each call must be cheap, and must not throw. */
export interface ControllerObserver extends WorkqueueObserver {
  /** Told once, when the controller is made. */
  made?(controller: ControllerState): void;
  ended?(outcome: Outcome, workedMs: number): void;
  /** A reconcile failed for want of this RBAC rule, in the words of `missingRule`. */
  missedRule?(rule: string): void;
}
