import type { Lease } from "@trimtab/apimachinery";

/** What a Lease says; absent fields of one that others wrote are read as client-go reads them. */
export interface LeaseRecord {
  /** "" where nobody holds it. */
  readonly holder: string;
  readonly durationMs: number;
  readonly acquireTime: string | undefined;
  readonly transitions: number;
  /** Equal only where nothing was written in between. */
  readonly raw: string;
}

export function recordOf({ spec = {} }: Lease): LeaseRecord {
  return {
    holder: spec.holderIdentity ?? "",
    durationMs: (spec.leaseDurationSeconds ?? 0) * 1_000,
    acquireTime: spec.acquireTime,
    transitions: spec.leaseTransitions ?? 0,
    raw: JSON.stringify(spec),
  };
}
