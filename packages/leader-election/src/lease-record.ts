import type { Lease } from "@trimtab/apimachinery";

export interface LeaseClaim {
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly now: Date;
}

/** The spec of a lease that `claim` holds, given what stood there before. */
export function claimed(claim: LeaseClaim, previous: Lease["spec"]): NonNullable<Lease["spec"]> {
  const renewTime = microTime(claim.now);
  const held = previous?.holderIdentity === claim.identity;
  return {
    holderIdentity: claim.identity,
    leaseDurationSeconds: Math.ceil(claim.leaseDurationMs / 1_000),
    renewTime,
    acquireTime: held ? (previous?.acquireTime ?? renewTime) : renewTime,
    leaseTransitions:
      held || previous === undefined ? (previous?.leaseTransitions ?? 0) : (previous.leaseTransitions ?? 0) + 1,
  };
}

/** The spec of a lease that nobody holds: whoever asks next has it at once (client-go's `release`). */
export function released(previous: Lease["spec"], now: Date): NonNullable<Lease["spec"]> {
  const time = microTime(now);
  return {
    holderIdentity: "",
    leaseDurationSeconds: 1,
    renewTime: time,
    acquireTime: time,
    leaseTransitions: previous?.leaseTransitions ?? 0,
  };
}

/** Go's `metav1.MicroTime` has six digits. */
function microTime(date: Date): string {
  return date.toISOString().replace("Z", "000Z");
}
