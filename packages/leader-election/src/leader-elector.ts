import { setTimeout as sleep } from "node:timers/promises";
import { type Duration, Lease, milliseconds } from "@trimtab/apimachinery";
import { type Client, ignoreNotFound, isApiError } from "@trimtab/client";
import { LeaseLostError } from "./lease-lost-error.ts";
import { claimed, released } from "./lease-record.ts";

export interface LeaderElectorOptions {
  /** Its requests are not fenced. */
  readonly client: Client;
  readonly namespace: string;
  readonly leaseName: string;
  /** Tells this process from every other: the pod's name and something random. */
  readonly identity: string;
  /** For how long others wait for a holder that is not heard of. @default "15s" */
  readonly leaseDuration?: Duration;
  /** A holder that could not renew for this long gives up. @default "10s" */
  readonly renewDeadline?: Duration;
  /** @default "2s" */
  readonly retryPeriod?: Duration;
  readonly onNewLeader?: (identity: string) => void;
  /** Told of each attempt to acquire or renew that failed, and will be made again. */
  readonly onError?: (error: Error) => void;
}

/** What was last seen in the lease, and when it was first seen so. */
interface Observation {
  readonly lease: Lease;
  readonly sinceMs: number;
}

const jitter = 1.2;
const releaseTimeoutMs = 2_000;

/**
 * Holds a Lease, or waits for it (client-go's `tools/leaderelection`).
 *
 * - Whether another's lease has run out is judged by how long it has not changed before our eyes, by the monotonic
 *   clock and its own duration; never by comparing its times with the clock here.
 * - The holder stops before its lease has run out for others: `renewDeadline` counts from when the last renewal that
 *   succeeded was begun.
 * - The lease is released only once `lead` has ended.
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #leaseDurationMs: number;
  readonly #renewDeadlineMs: number;
  readonly #retryPeriodMs: number;
  #observed: Observation | undefined;
  /** Until when, by `performance.now()`, the lease is surely held; past if it is not. */
  #heldUntilMs = 0;
  #leader = "";

  /** @throws TypeError unless leaseDuration > renewDeadline > retryPeriod × 1.2 */
  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    this.#leaseDurationMs = milliseconds(options.leaseDuration ?? "15s");
    this.#renewDeadlineMs = milliseconds(options.renewDeadline ?? "10s");
    this.#retryPeriodMs = milliseconds(options.retryPeriod ?? "2s");
    if (this.#leaseDurationMs <= this.#renewDeadlineMs)
      throw new TypeError("leaseDuration must be longer than renewDeadline");
    if (this.#renewDeadlineMs <= this.#retryPeriodMs * jitter)
      throw new TypeError(`renewDeadline must be longer than ${jitter} × retryPeriod`);
  }

  get isLeader(): boolean {
    return performance.now() < this.#heldUntilMs;
  }

  /** Throws unless the lease is surely still held: to be asked before every write. */
  fence(): void {
    if (!this.isLeader) throw new LeaseLostError(`the lease ${this.#name} is not held: nothing may be written`);
  }

  /**
   * Waits for the lease, then runs `lead` with a signal that aborts when the lease is lost or `signal` aborts.
   * Releases the lease once `lead` has ended. Resolves without having led if `signal` aborts first.
   *
   * @throws LeaseLostError if the lease was lost, once `lead` has ended
   */
  async run(signal: AbortSignal, lead: (leading: AbortSignal) => Promise<void>): Promise<void> {
    if (!(await this.#acquire(signal))) return;
    const over = new AbortController();
    const lost = new AbortController();
    const renewing = this.#renew(over.signal).catch((error: unknown) => lost.abort(error));
    try {
      await lead(AbortSignal.any([signal, lost.signal]));
    } finally {
      over.abort();
      await renewing;
      if (!lost.signal.aborted) await this.#release();
      this.#heldUntilMs = 0;
    }
    if (lost.signal.aborted) throw lost.signal.reason;
  }

  async #acquire(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (await this.#attempt(signal, this.#renewDeadlineMs)) return true;
      await pause(this.#retryPeriodMs * (1 + Math.random() * (jitter - 1)), signal);
    }
    return false;
  }

  async #renew(signal: AbortSignal): Promise<void> {
    for (;;) {
      await pause(this.#retryPeriodMs, signal);
      if (signal.aborted) return;
      const leftMs = this.#heldUntilMs - performance.now();
      if (leftMs > 0 && (await this.#attempt(signal, leftMs))) continue;
      if (signal.aborted) return;
      if (this.isLeader && !this.#isTaken()) continue;
      this.#heldUntilMs = 0;
      throw new LeaseLostError(`the lease ${this.#name} was lost`);
    }
  }

  /** Whether the lease is held now. */
  async #attempt(signal: AbortSignal, timeoutMs: number): Promise<boolean> {
    const begunMs = performance.now();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.floor(timeoutMs)))]);
    try {
      const lease = await this.#take(limit);
      if (lease === undefined) return false;
      this.#observe(lease);
      this.#heldUntilMs = begunMs + this.#renewDeadlineMs;
      return true;
    } catch (error) {
      // Somebody else was faster: the next attempt reads what they wrote.
      if (isApiError(error, "Conflict", "AlreadyExists")) this.#observed = undefined;
      else if (!signal.aborted) this.#options.onError?.(error as Error);
      return false;
    }
  }

  /** The lease as written; `undefined` if another holds it. */
  async #take(signal: AbortSignal): Promise<Lease | undefined> {
    const { client, namespace, leaseName: name, identity } = this.#options;
    const claim = { identity, leaseDurationMs: this.#leaseDurationMs, now: new Date() };
    // A holder knows what it wrote last; if that has changed the update is a conflict.
    const known = this.isLeader ? this.#observed?.lease : undefined;
    const lease = known ?? (await ignoreNotFound(client.get(Lease, { namespace, name }, { signal })));
    if (lease === undefined)
      return client.create(Lease, { metadata: { namespace, name }, spec: claimed(claim, undefined) }, { signal });
    this.#observe(lease);
    if (this.#isHeldByAnother(lease)) return undefined;
    return client.update(Lease, { ...lease, spec: claimed(claim, lease.spec) }, { signal });
  }

  /** Whether another has been seen in the lease since it was held here. */
  #isTaken(): boolean {
    return this.#observed !== undefined && this.#observed.lease.spec?.holderIdentity !== this.#options.identity;
  }

  #isHeldByAnother({ spec }: Lease): boolean {
    const holder = spec?.holderIdentity;
    if (!holder || holder === this.#options.identity || this.#observed === undefined) return false;
    const durationMs = (spec?.leaseDurationSeconds ?? 0) * 1_000;
    return performance.now() - this.#observed.sinceMs < durationMs;
  }

  #observe(lease: Lease): void {
    if (this.#observed?.lease.metadata.resourceVersion !== lease.metadata.resourceVersion)
      this.#observed = { lease, sinceMs: performance.now() };
    const leader = lease.spec?.holderIdentity ?? "";
    if (leader === this.#leader) return;
    this.#leader = leader;
    if (leader !== "") this.#options.onNewLeader?.(leader);
  }

  async #release(): Promise<void> {
    const lease = this.#observed?.lease;
    if (lease === undefined || lease.spec?.holderIdentity !== this.#options.identity) return;
    try {
      const spec = released(lease.spec, new Date());
      await this.#options.client.update(Lease, { ...lease, spec }, { signal: AbortSignal.timeout(releaseTimeoutMs) });
    } catch (error) {
      // It runs out by itself.
      this.#options.onError?.(error as Error);
    }
  }

  get #name(): string {
    return `${this.#options.namespace}/${this.#options.leaseName}`;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
