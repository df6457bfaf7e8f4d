import type { KubeObject } from "@trimtab/apimachinery";
import { Event } from "@trimtab/apimachinery";
import { type Client, isApiError } from "@trimtab/client";
import { type EventNote, eventFor, sameEventKey, seriesPatch } from "./event-object.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Writes Events about one object. Never throws, never waits: what it is told is sent later, in order. */
export interface Recorder {
  normal(reason: string, message: string): void;
  warning(reason: string, message: string): void;
}

export interface EventRecorderOptions {
  readonly client: Client;
  /** `reportingController`: the manager's name. */
  readonly controller: string;
  /** `reportingInstance`: the pod's or host's name. */
  readonly instance: string;
  /** Told of each Event that could not be written, or had to be dropped. */
  readonly onError?: (error: Error) => void;
}

export interface EventRecorder {
  recorderFor(object: KubeObject): Recorder;
  /** Sends what is waiting, as fast as the API server takes it, until the signal aborts. */
  flush(signal: AbortSignal): Promise<void>;
}

/** More than this many waiting Events tell a person nothing; the oldest are dropped. */
const longestQueue = 1_000;
/** As client-go: a repetition within this time raises the count of the first. */
const seriesMs = 6 * 60_000;
/** How many different Events are remembered, so that they can be repeated. */
const mostSeries = 4_096;

/**
 * Events are for people, who read few: a burst goes out at once, a storm is spread, so that a thousand new objects are
 * not a thousand requests more while their operator is at work (client-go allows 25 and then one each 5 min, an object).
 */
const burst = 25;
const perSecond = 5;

interface Series {
  readonly namespace: string;
  readonly name: string;
  readonly count: number;
  readonly atMs: number;
}

/**
 * Events of `events.k8s.io/v1` (KEP-383).
 *
 * - One request at a time, in the order in which they were told, never faster than the bucket allows.
 * - The same reason and message about the same object again is a count on the Event that is there.
 * - One that cannot be written is reported and forgotten: an Event never holds up what it is about.
 */
class QueuedEventRecorder implements EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #waiting: EventNote[] = [];
  readonly #series = new Map<string, Series>();
  readonly #bucket = new TokenBucket({ burst, perSecond });
  #sending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  recorderFor(object: KubeObject): Recorder {
    return {
      normal: (reason, message) => this.#add({ regarding: object, type: "Normal", reason, message, at: new Date() }),
      warning: (reason, message) => this.#add({ regarding: object, type: "Warning", reason, message, at: new Date() }),
    };
  }

  async flush(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#timer);
    await this.#sending;
    while (this.#waiting.length > 0 && !signal.aborted) await this.#sendNext(signal);
  }

  #add(note: EventNote): void {
    this.#waiting.push(note);
    if (this.#waiting.length > longestQueue) {
      const dropped = this.#waiting.shift();
      this.#options.onError?.(new Error(`too many events wait to be sent: dropped one of ${dropped?.reason}`));
    }
    this.#sending ??= this.#drain();
  }

  async #drain(): Promise<void> {
    // After the work that caused the event.
    await new Promise((resume) => setImmediate(resume));
    while (this.#waiting.length > 0) {
      const waitMs = this.#bucket.take(performance.now());
      if (waitMs > 0) {
        this.#timer = setTimeout(() => {
          this.#sending ??= this.#drain();
        }, waitMs);
        this.#timer.unref();
        break;
      }
      await this.#sendNext();
    }
    this.#sending = undefined;
  }

  async #sendNext(signal?: AbortSignal): Promise<void> {
    const note = this.#waiting.shift();
    if (note === undefined) return;
    try {
      await this.#send(note, signal === undefined ? {} : { signal });
    } catch (error) {
      // Nothing can be written to a namespace that is going, and nobody will read it there.
      if (isApiError(error, "Forbidden") && error.details.causes?.some((c) => c.reason === "NamespaceTerminating"))
        return;
      this.#options.onError?.(new Error(`cannot write the event ${note.reason}`, { cause: error }));
    }
  }

  async #send(note: EventNote, options: { readonly signal?: AbortSignal }): Promise<void> {
    const key = sameEventKey(note);
    const now = performance.now();
    const series = this.#series.get(key);
    this.#series.delete(key);
    if (series !== undefined && now - series.atMs < seriesMs) {
      const count = series.count + 1;
      try {
        await this.#options.client.mergePatch(Event, series, seriesPatch(count, note.at), options);
        this.#series.set(key, { ...series, count, atMs: now });
        return;
      } catch (error) {
        // Events expire within the hour.
        if (!isApiError(error, "NotFound")) throw error;
      }
    }
    const { metadata } = await this.#options.client.create(Event, eventFor(note, this.#options), options);
    this.#remember(key, { namespace: metadata.namespace ?? "", name: metadata.name, count: 1, atMs: now });
  }

  #remember(key: string, series: Series): void {
    this.#series.set(key, series);
    const [oldest] = this.#series.keys();
    if (this.#series.size > mostSeries && oldest !== undefined) this.#series.delete(oldest);
  }
}

export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  return new QueuedEventRecorder(options);
}
