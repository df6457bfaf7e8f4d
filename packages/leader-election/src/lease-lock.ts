import { Lease, microTime } from "@trimtab/apimachinery";
import { type Client, ignoreNotFound, isApiError, limitTo } from "@trimtab/client";
import { leaseAccess } from "./lease-access.ts";
import { type LeaseRecord, recordOf } from "./lease-record.ts";

export interface LeaseLockOptions {
  /** Must have no fence, or it could never write the lease; best one of its own, whose connections nobody else uses. */
  readonly client: Client;
  readonly namespace: string;
  readonly leaseName: string;
  /** Tells this process from every other: the pod's name and something random. */
  readonly identity: string;
}

export interface LeaseLockTiming {
  readonly leaseSeconds: number;
  /** How long one request may take. */
  readonly requestMs: number;
}

const releaseAttempts = 3;

/** The Lease, as one who wants to hold it reads and writes it (client-go's `resourcelock.LeaseLock`). */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  readonly #timing: LeaseLockTiming;

  constructor(options: LeaseLockOptions, timing: LeaseLockTiming) {
    this.#options = { ...options, client: limitTo(options.client, leaseAccess, "the leader elector") };
    this.#timing = timing;
  }

  async read(signal: AbortSignal): Promise<Lease | undefined> {
    const { client, namespace, leaseName: name } = this.#options;
    return ignoreNotFound(client.get(Lease, { namespace, name }, { signal: this.#limited(signal) }));
  }

  /**
   * Writes that it is held now, if it is still as it was read.
   *
   * @param lease as read; `undefined` where there is none
   * @returns as written; `undefined` where somebody else was faster
   */
  async claim(lease: Lease | undefined, signal: AbortSignal): Promise<Lease | undefined> {
    const { client, namespace, leaseName: name } = this.#options;
    const options = { signal: this.#limited(signal) };
    try {
      if (lease !== undefined)
        return await client.update(Lease, { ...lease, spec: this.#claimed(recordOf(lease)) }, options);
      const metadata = { namespace, name };
      return await client.create(Lease, { metadata, spec: this.#claimed(undefined) }, options);
    } catch (error) {
      if (isApiError(error, "Conflict", "AlreadyExists")) return undefined;
      throw error;
    }
  }

  /** Writes that nobody holds it, so that the next in line has it at once; does nothing if another has it already. */
  async release(lease: Lease): Promise<void> {
    const { client, identity } = this.#options;
    const signal = AbortSignal.timeout(this.#timing.requestMs);
    let current: Lease | undefined = lease;
    for (let attempt = 1; current !== undefined && recordOf(current).holder === identity; attempt += 1) {
      const now = microTime();
      const free = { holderIdentity: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
      try {
        await client.update(Lease, { ...current, spec: { ...current.spec, ...free } }, { signal });
        return;
      } catch (error) {
        if (!isApiError(error, "Conflict") || attempt === releaseAttempts) throw error;
        current = await this.read(signal);
      }
    }
  }

  #claimed(before: LeaseRecord | undefined): NonNullable<Lease["spec"]> {
    const { identity } = this.#options;
    const now = microTime();
    const isOurs = before?.holder === identity;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: this.#timing.leaseSeconds,
      acquireTime: isOurs ? (before.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: before === undefined ? 0 : before.transitions + (isOurs ? 0 : 1),
    };
  }

  #limited(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, AbortSignal.timeout(this.#timing.requestMs)]);
  }
}
