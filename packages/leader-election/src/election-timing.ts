import { type Duration, milliseconds } from "@trimtab/apimachinery";

export interface ElectionTimingOptions {
  /** How long others wait, after the last sign of life, before they take the lease: whole seconds. @default "15s" */
  readonly leaseDuration?: Duration;
  /** How long a leader goes on without a renewal that succeeded. @default "10s" */
  readonly renewDeadline?: Duration;
  /** How often the lease is renewed, or asked for. @default "2s" */
  readonly retryPeriod?: Duration;
}

export interface ElectionTiming {
  readonly leaseSeconds: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /** How long one request may take. */
  readonly requestMs: number;
}

/** client-go's `leaderelection.JitterFactor`. */
export const jitterFactor = 1.2;

/** @throws TypeError where a leader could not renew in time, or not stop in time */
export function electionTiming({
  leaseDuration = "15s",
  renewDeadline = "10s",
  retryPeriod = "2s",
}: ElectionTimingOptions): ElectionTiming {
  const leaseMs = milliseconds(leaseDuration);
  const renewDeadlineMs = milliseconds(renewDeadline);
  const retryPeriodMs = milliseconds(retryPeriod);
  if (leaseMs % 1_000 !== 0) throw new TypeError(`leaseDuration ${leaseDuration}: a Lease counts in whole seconds`);
  if (leaseMs <= renewDeadlineMs)
    throw new TypeError(`leaseDuration ${leaseDuration} must be longer than renewDeadline ${renewDeadline}`);
  if (renewDeadlineMs <= retryPeriodMs * jitterFactor)
    throw new TypeError(
      `renewDeadline ${renewDeadline} must be longer than ${jitterFactor} times retryPeriod ${retryPeriod}`,
    );
  // As client-go's manager has it, so that a request that hangs leaves time for another; and less than the margin.
  const requestMs = Math.min(Math.max(renewDeadlineMs / 2, 1_000), leaseMs - renewDeadlineMs);
  return { leaseSeconds: leaseMs / 1_000, renewDeadlineMs, retryPeriodMs, requestMs };
}
