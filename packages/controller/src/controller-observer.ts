/** How a reconcile ended, by controller-runtime's labels and two of our own. */
export type Outcome = "success" | "requeue_after" | "error" | "conflict" | "terminal";

/** Told what a controller does, for metrics; each call is cheap and never throws. */
export interface ControllerObserver {
  added(): void;
  retried(): void;
  /** How many keys wait for a worker. */
  depth(waiting: number): void;
  started(queuedMs: number): void;
  ended(outcome: Outcome, workedMs: number): void;
}
