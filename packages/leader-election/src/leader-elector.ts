import type { Duration } from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";

export interface LeaderElectorOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly leaseName: string;
  /** Tells this process from every other: the pod's name and something random. */
  readonly identity: string;
  /** @default "15s" */
  readonly leaseDuration?: Duration;
  /** @default "10s" */
  readonly renewDeadline?: Duration;
  /** @default "2s" */
  readonly retryPeriod?: Duration;
  readonly onNewLeader?: (identity: string) => void;
}

/**
 * Holds a Lease, or waits for it (client-go's leaderelection, judged by the monotonic clock).
 */
export declare class LeaderElector {
  constructor(options: LeaderElectorOptions);
  readonly isLeader: boolean;
  /**
   * Waits for the lease, then runs `lead` with a signal that aborts when the lease is lost or `signal` aborts.
   * Releases the lease once `lead` has ended. Rejects with `LeaseLostError` if it was lost.
   */
  run(signal: AbortSignal, lead: (leading: AbortSignal) => Promise<void>): Promise<void>;
  /** Throws `LeaseLostError` unless the lease is surely still held: asked before every write. */
  fence(): void;
}
