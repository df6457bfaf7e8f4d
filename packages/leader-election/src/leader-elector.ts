import { setTimeout as sleep } from "node:timers/promises";
import { Lease } from "@trimtab/apimachinery";
import { type Client, ignoreNotFound, isApiError } from "@trimtab/client";
import { type ElectionTiming, type ElectionTimingOptions, electionTiming, jitterFactor } from "./election-timing.ts";
import { LeaseLostError } from "./lease-lost-error.ts";
import { type LeaseRecord, microTime, recordOf } from "./lease-record.ts";

export interface LeaderElectorOptions extends ElectionTimingOptions {
  /** Must have no fence, or it could never write the lease; best one of its own, whose connections nobody else uses. */
  readonly client: Client;
  readonly namespace: string;
  readonly leaseName: string;
  /** Tells this process from every other: the pod's name and something random. */
  readonly identity: string;
  /** Told when another process, or this one, is seen to hold the lease. */
  readonly onNewLeader?: (identity: string) => void;
  /** Told why the lease could not be read or written; it is tried again. */
  readonly onError?: (error: Error) => void;
}

/** The lease as this process last saw it, and since when it has not changed, by the monotonic clock. */
interface Observed {
  readonly lease: Lease;
  readonly record: LeaseRecord;
  readonly sinceMs: number;
}

/**
 * Holds a Lease, or waits for it: client-go's `tools/leaderelection`, and it can compete with Go processes for one Lease.
 *
 * - Another's lease has expired when it has not changed for as long as it says, by the monotonic clock of the
 *   process that looks: clocks of two machines are never compared.
 * - A leader stops `renewDeadline` after it *began* the last renewal that succeeded, so before any other can begin.
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #timing: ElectionTiming;
  #observed: Observed | undefined;
  #leads = false;
  /** When the last renewal that succeeded began. */
  #renewedMs = Number.NEGATIVE_INFINITY;
  #error: Error | undefined;

  /** @throws TypeError if the durations leave no time to renew, or to stop */
  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    this.#timing = electionTiming(options);
  }

  get isLeader(): boolean {
    return this.#leads && performance.now() < this.#deadlineMs;
  }

  /** Why the last try to read or write the lease failed; `undefined` where it did not. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** Throws `LeaseLostError` unless the lease is surely still held: asked before every write. */
  fence(): void {
    if (!this.isLeader) throw this.#lost();
  }

  /**
   * Waits for the lease, then runs `lead` with a signal that aborts when the lease is lost or `signal` aborts.
   * Resolves when `signal` aborts before there is anything to lead.
   *
   * `lead` must resolve only once all that it started has stopped: the lease is released then, so that the next in line
   * need not wait. If it rejects, the lease is left to expire.
   *
   * @throws LeaseLostError if the lease was lost, and what `lead` rejects with
   */
  async run(signal: AbortSignal, lead: (leading: AbortSignal) => Promise<void>): Promise<void> {
    if (!(await this.#acquire(signal))) return;
    const leading = new AbortController();
    const stop = (): void => leading.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const led = new AbortController();
    const renewing = this.#renew(led.signal).catch((lost: Error) => leading.abort(lost));
    try {
      await lead(leading.signal);
    } finally {
      signal.removeEventListener("abort", stop);
      led.abort();
      await renewing;
    }
    if (!this.isLeader) throw this.#lost();
    this.#leads = false;
    await this.#release();
  }

  get #deadlineMs(): number {
    return this.#renewedMs + this.#timing.renewDeadlineMs;
  }

  #lost(): LeaseLostError {
    const { namespace, leaseName } = this.#options;
    const holder = this.#observed?.record.holder ?? "";
    const isOthers = holder !== "" && holder !== this.#options.identity;
    const why = isOthers ? `${holder} holds it` : "it was not renewed in time";
    return new LeaseLostError(`this process does not hold the lease ${namespace}/${leaseName}: ${why}`, {
      ...(this.#error !== undefined && { cause: this.#error }),
    });
  }

  /** @returns whether the lease is held; if not, the signal has aborted */
  async #acquire(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (await this.#try(signal)) {
        this.#leads = true;
        return true;
      }
      await pause(this.#timing.retryPeriodMs * (1 + Math.random() * jitterFactor), signal);
    }
    return false;
  }

  /** @throws LeaseLostError */
  async #renew(signal: AbortSignal): Promise<void> {
    for (;;) {
      await pause(Math.min(this.#timing.retryPeriodMs, this.#deadlineMs - performance.now()), signal);
      if (signal.aborted) return;
      // A process that was stopped for a while must not go on as if nothing had happened.
      if (!this.isLeader) throw this.#lost();
      const deadline = AbortSignal.timeout(Math.max(0, Math.ceil(this.#deadlineMs - performance.now())));
      const renewed = await this.#try(AbortSignal.any([signal, deadline]));
      if (!renewed && this.#isTakenOver()) {
        this.#leads = false;
        throw this.#lost();
      }
    }
  }

  #isTakenOver(): boolean {
    return this.#observed !== undefined && this.#observed.record.holder !== this.#options.identity;
  }

  /** One try to have the lease for another while. @returns whether it succeeded */
  async #try(signal: AbortSignal): Promise<boolean> {
    try {
      const held = await this.#takeOrRenew(signal);
      this.#error = undefined;
      return held;
    } catch (error) {
      if (!signal.aborted) {
        this.#error = error as Error;
        this.#options.onError?.(this.#error);
      }
      return false;
    }
  }

  async #takeOrRenew(signal: AbortSignal): Promise<boolean> {
    const { identity } = this.#options;
    const known = this.#observed;
    // The holder knows the lease as it is, unless somebody has meddled with it.
    if (known?.record.holder === identity && this.#leads && (await this.#write(known.lease, signal))) return true;
    const lease = await this.#read(signal);
    if (lease === undefined) return this.#create();
    const { record, sinceMs } = this.#observe(lease);
    const isTaken = record.holder !== "" && record.holder !== identity;
    if (isTaken && performance.now() < sinceMs + record.durationMs) return false;
    return this.#write(lease, signal);
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    const { client, namespace, leaseName } = this.#options;
    const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(this.#timing.requestMs)]) };
    return ignoreNotFound(client.get(Lease, { namespace, name: leaseName }, options));
  }

  async #create(): Promise<boolean> {
    const { client, namespace, leaseName } = this.#options;
    const startedMs = performance.now();
    const created = client.create(
      Lease,
      { metadata: { namespace, name: leaseName }, spec: this.#spec(undefined) },
      { signal: AbortSignal.timeout(this.#timing.requestMs) },
    );
    return this.#wrote(created, startedMs);
  }

  /** @param signal not used to take the lease: a request that was broken off may have succeeded */
  async #write(lease: Lease, signal: AbortSignal): Promise<boolean> {
    const { client } = this.#options;
    const startedMs = performance.now();
    const timeout = AbortSignal.timeout(this.#timing.requestMs);
    const options = { signal: this.#leads ? AbortSignal.any([signal, timeout]) : timeout };
    return this.#wrote(client.update(Lease, { ...lease, spec: this.#spec(recordOf(lease)) }, options), startedMs);
  }

  /** @returns false where somebody else was faster */
  async #wrote(request: Promise<Lease>, startedMs: number): Promise<boolean> {
    try {
      this.#observe(await request);
    } catch (error) {
      if (isApiError(error, "Conflict", "AlreadyExists")) return false;
      throw error;
    }
    this.#renewedMs = startedMs;
    return true;
  }

  #spec(before: LeaseRecord | undefined): NonNullable<Lease["spec"]> {
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

  #observe(lease: Lease): Observed {
    const record = recordOf(lease);
    const before = this.#observed;
    const sinceMs = before?.record.raw === record.raw ? before.sinceMs : performance.now();
    const observed = { lease, record, sinceMs };
    this.#observed = observed;
    if (record.holder !== "" && record.holder !== before?.record.holder) this.#options.onNewLeader?.(record.holder);
    return observed;
  }

  /** Lets the next in line have the lease at once; if that fails, it has to wait for it to expire. */
  async #release(): Promise<void> {
    const { client, identity } = this.#options;
    const signal = AbortSignal.timeout(this.#timing.requestMs);
    try {
      let lease = this.#observed?.lease;
      for (let attempt = 1; lease !== undefined && recordOf(lease).holder === identity; attempt += 1) {
        const now = microTime();
        const free = { holderIdentity: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
        try {
          await client.update(Lease, { ...lease, spec: { ...lease.spec, ...free } }, { signal });
          return;
        } catch (error) {
          if (!isApiError(error, "Conflict") || attempt === 3) throw error;
          lease = await this.#read(signal);
        }
      }
    } catch (error) {
      this.#options.onError?.(new Error("the lease could not be released", { cause: error }));
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(ms, 0), undefined, { signal }).catch(() => undefined);
}
