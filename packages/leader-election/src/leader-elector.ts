import type { Lease } from "@trimtab/apimachinery";
import { type ElectionTiming, type ElectionTimingOptions, electionTiming, jitterFactor } from "./election-timing.ts";
import { LeaseLock, type LeaseLockOptions } from "./lease-lock.ts";
import { LeaseLostError } from "./lease-lost-error.ts";
import { type LeaseRecord, recordOf } from "./lease-record.ts";
import { pause } from "./pause.ts";

export interface LeaderElectorOptions extends LeaseLockOptions, ElectionTimingOptions {
  /** Told when another process, or this one, is seen to hold the lease. */
  readonly onNewLeader?: (identity: string) => void;
  /** Told why the lease can be neither read nor written, once for each reason; it is tried again. */
  readonly onError?: (error: Error) => void;
}

/** The lease as this process last saw it, and since when it has not changed, by the monotonic clock. */
interface Observed {
  readonly lease: Lease;
  readonly record: LeaseRecord;
  readonly sinceMs: number;
}

/** For requests that are not to be broken off: a claim that was may have succeeded. */
const uninterrupted = new AbortController().signal;

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
  readonly #lock: LeaseLock;
  #observed: Observed | undefined;
  #leads = false;
  /** When the last renewal that succeeded began. */
  #renewedMs = Number.NEGATIVE_INFINITY;
  #error: Error | undefined;

  /** @throws TypeError if the durations leave no time to renew, or to stop */
  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    this.#timing = electionTiming(options);
    this.#lock = new LeaseLock(options, this.#timing);
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
   * Waits for the lease, then runs `lead` with a signal that aborts when the lease is lost or `signal` aborts, and one
   * that aborts only when it is lost, be it while `lead` is stopping: then nobody may wait for what is under way.
   * Resolves when `signal` aborts before there is anything to lead.
   *
   * `lead` must resolve only once all that it started has stopped: the lease is released then, so that the next in line
   * need not wait. If it rejects, the lease is left to expire.
   *
   * @throws LeaseLostError if the lease was lost, and what `lead` rejects with
   */
  async run(signal: AbortSignal, lead: (leading: AbortSignal, lost: AbortSignal) => Promise<void>): Promise<void> {
    if (!(await this.#acquire(signal))) return;
    const lost = new AbortController();
    const led = new AbortController();
    const renewing = this.#renew(led.signal).catch((error: Error) => lost.abort(error));
    try {
      await lead(AbortSignal.any([signal, lost.signal]), lost.signal);
    } finally {
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
      if (renewed || !this.#isTakenOver()) continue;
      this.#leads = false;
      throw this.#lost();
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
      if (!signal.aborted) this.#failed(error as Error);
      return false;
    }
  }

  #failed(error: Error): void {
    const isNews = this.#error?.message !== error.message;
    this.#error = error;
    if (isNews) this.#options.onError?.(error);
  }

  async #takeOrRenew(signal: AbortSignal): Promise<boolean> {
    const known = this.#observed;
    // The holder knows the lease as it is, unless somebody has meddled with it.
    if (this.#leads && known !== undefined && (await this.#claim(known.lease, signal))) return true;
    const lease = await this.#lock.read(signal);
    if (lease !== undefined && this.#isTaken(this.#observe(lease))) return false;
    return this.#claim(lease, this.#leads ? signal : uninterrupted);
  }

  #isTaken({ record: { holder, durationMs }, sinceMs }: Observed): boolean {
    const isOthers = holder !== "" && holder !== this.#options.identity;
    return isOthers && (this.#leads || performance.now() < sinceMs + durationMs);
  }

  async #claim(lease: Lease | undefined, signal: AbortSignal): Promise<boolean> {
    const startedMs = performance.now();
    const claimed = await this.#lock.claim(lease, signal);
    if (claimed === undefined) return false;
    this.#observe(claimed);
    this.#renewedMs = startedMs;
    return true;
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

  /** If that fails, the next in line has to wait for the lease to expire. */
  async #release(): Promise<void> {
    try {
      if (this.#observed !== undefined) await this.#lock.release(this.#observed.lease);
    } catch (error) {
      this.#options.onError?.(new Error("the lease could not be released", { cause: error }));
    }
  }
}
