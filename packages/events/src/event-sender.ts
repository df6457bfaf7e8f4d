import { Event } from "@trimtab/apimachinery";
import { type ApiError, type Client, isApiError, TransportError } from "@trimtab/client";
import type { EventSeries, Reporter } from "./event-series.ts";
import { TokenBucket } from "./token-bucket.ts";

export interface EventSenderOptions {
  readonly client: Client;
  readonly reporter: Reporter;
  readonly onError: (error: Error) => void;
}

/** As many as client-go's broadcaster holds. */
const maxWaiting = 1_000;

/**
 * A person who works on a few objects sees every event at once; of a storm, 500 objects that are made in two
 * seconds with a thousand writes, the events add 3 % to those writes, and the rest come later.
 */
const burst = 25;
const perSecond = 5;

/** The count of a series that goes on need not be exact to the second. */
const repeatAfterMs = 10_000;

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/**
 * Sends events to the API server with the lowest priority: one request at a time, and few a second.
 *
 * - The oldest that waits goes first; where more wait than can be held, the oldest is dropped, and that is said.
 * - While the API server is away they wait. What it refuses is dropped.
 */
export class EventSender {
  readonly #options: EventSenderOptions;
  readonly #waiting = new Set<EventSeries>();
  readonly #bucket = new TokenBucket(burst, perSecond);
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  #isSending = false;
  #failures = 0;
  #retryAtMs = 0;
  #dropped = 0;

  constructor(options: EventSenderOptions) {
    this.#options = options;
  }

  send(series: EventSeries): void {
    this.#waiting.add(series);
    const [oldest] = this.#waiting;
    if (this.#waiting.size > maxWaiting && oldest !== undefined) {
      this.#waiting.delete(oldest);
      this.#dropped += 1;
    }
    this.#wind();
  }

  async flush(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#timer);
    await unlessAborted(this.#sending, signal);
    clearTimeout(this.#timer);
    this.#isSending = true;
    for (const series of this.#waiting) {
      if (signal.aborted) break;
      await this.#sendOne(series, signal);
      // An API server that is away will not be back in time.
      if (this.#failures > 0) break;
    }
    this.#isSending = false;
    this.#reportDropped(this.#waiting.size);
    this.#waiting.clear();
  }

  /** Sets the timer for the next that may be sent; a process that has nothing else to do need not live for it. */
  #wind(): void {
    if (this.#isSending) return;
    clearTimeout(this.#timer);
    const dueMs = this.#nextDueMs();
    if (dueMs === undefined) return;
    const waitMs = Math.max(dueMs - performance.now(), this.#retryAtMs - performance.now(), this.#bucket.waitMs());
    this.#timer = setTimeout(this.#ring, Math.ceil(waitMs)).unref();
  }

  readonly #ring = (): void => {
    const nowMs = performance.now();
    for (const series of this.#waiting) {
      if (series.dueMs > nowMs) continue;
      this.#bucket.take();
      this.#isSending = true;
      this.#sending = this.#sendOne(series).finally(() => {
        this.#isSending = false;
        this.#wind();
      });
      return;
    }
    this.#wind();
  };

  #nextDueMs(): number | undefined {
    let next: number | undefined;
    for (const { dueMs } of this.#waiting) {
      if (dueMs <= performance.now()) return dueMs;
      next = Math.min(next ?? dueMs, dueMs);
    }
    return next;
  }

  /** Never rejects. */
  async #sendOne(series: EventSeries, signal?: AbortSignal): Promise<void> {
    const { count } = series;
    try {
      await this.#write(series, signal);
      series.sent(count);
      series.dueMs = performance.now() + repeatAfterMs;
      this.#failures = 0;
      this.#reportDropped();
      if (series.unsent === 0) this.#waiting.delete(series);
    } catch (error) {
      if (signal?.aborted === true) return;
      this.#failed(series, error as Error);
    }
  }

  async #write(series: EventSeries, signal: AbortSignal | undefined): Promise<void> {
    const { client, reporter } = this.#options;
    const options = signal === undefined ? {} : { signal };
    if (series.exists) {
      const key = { namespace: series.namespace, name: series.name };
      await client.mergePatch(Event, key, { series: series.series }, options);
    } else {
      await client.create(Event, series.toEvent(reporter), options);
    }
  }

  #failed(series: EventSeries, error: Error): void {
    if (isForLater(error)) {
      this.#failures += 1;
      const delayMs = Math.min(firstRetryMs * 2 ** (this.#failures - 1), longestRetryMs);
      this.#retryAtMs = performance.now() + delayMs * (0.75 + Math.random() / 2);
      return;
    }
    // Events live for an hour; and two processes may, by a rare chance, have chosen one name.
    if ((series.exists && isApiError(error, "NotFound")) || isApiError(error, "AlreadyExists")) {
      series.startOver();
      return;
    }
    this.#waiting.delete(series);
    if (isGoing(error)) return;
    const what = `the event ${series.reason} in ${series.namespace} could not be written`;
    this.#options.onError(new Error(what, { cause: error }));
  }

  #reportDropped(more = 0): void {
    const dropped = this.#dropped + more;
    this.#dropped = 0;
    if (dropped > 0) this.#options.onError(new Error(`${dropped} events were dropped: too many were waiting`));
  }
}

function isForLater(error: Error): boolean {
  if (error instanceof TransportError) return true;
  return isApiError(error) && (error.statusCode === 429 || error.statusCode >= 500);
}

/** The namespace is being deleted, or has been. */
function isGoing(error: Error): boolean {
  if (isApiError(error, "NotFound")) return true;
  return isApiError(error, "Forbidden") && hasCause(error, "NamespaceTerminating");
}

function hasCause({ details }: ApiError, reason: string): boolean {
  return details.causes?.some((cause) => cause.reason === reason) ?? false;
}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const abort = (): void => aborted.resolve();
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
