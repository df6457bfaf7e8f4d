import type { KubeObject } from "@trimtab/apimachinery";
import { type Client, limitTo } from "@trimtab/client";
import { eventAccess } from "./event-access.ts";
import { EventSender } from "./event-sender.ts";
import { EventSeries, type EventType } from "./event-series.ts";

/** Writes Events about one object. Never throws, never waits: what it is told is sent later, in order. */
export interface Recorder {
  /** @param reason why, in UpperCamelCase and at most 128 bytes, for machines to read */
  normal(reason: string, message: string): void;
  warning(reason: string, message: string): void;
}

export interface EventRecorderOptions {
  readonly client: Client;
  /** `reportingController`: the manager's name. */
  readonly controller: string;
  /** `reportingInstance`: the pod's or host's name. */
  readonly instance: string;
  /** Told of an event that could not be written, and why. @default nobody is told */
  readonly onError?: (error: Error) => void;
}

export interface EventRecorder {
  recorderFor(object: KubeObject): Recorder;
  /** Sends what is waiting at once, until the signal aborts; never rejects. */
  flush(signal: AbortSignal): Promise<void>;
}

/** As many as client-go remembers. */
const maxSeries = 4_096;

/**
 * Writes Events of `events.k8s.io/v1`.
 *
 * - Those about one object that are alike become one, with a count, as long as no six minutes lie between two.
 * - They are sent one at a time, and in a storm few a second: see `EventSender`.
 * - No failure reaches the code that records. In a namespace that is being deleted, none is a failure.
 */
export function createEventRecorder({
  client,
  controller,
  instance,
  onError = () => {},
}: EventRecorderOptions): EventRecorder {
  const limited = limitTo(client, eventAccess, "the event recorder");
  const sender = new EventSender({ client: limited, reporter: { controller, instance }, onError });
  const known = new Map<string, EventSeries>();

  const record = (object: KubeObject, type: EventType, reason: string, note: string): void => {
    if (reason === "") {
      onError(
        new TypeError(`an event about ${object.kind} ${object.metadata.name} gives no reason: it is not written`),
      );
      return;
    }
    const key = [object.metadata.uid, type, reason, note].join("\n");
    const series = known.get(key);
    known.delete(key);
    if (series !== undefined && !series.hasEnded) {
      series.repeat();
      known.set(key, series);
      sender.send(series);
      return;
    }
    const [oldest] = known.keys();
    if (known.size >= maxSeries && oldest !== undefined) known.delete(oldest);
    const started = new EventSeries(object, type, reason, note);
    known.set(key, started);
    sender.send(started);
  };

  return {
    recorderFor: (object) => ({
      normal: (reason, message) => record(object, "Normal", reason, message),
      warning: (reason, message) => record(object, "Warning", reason, message),
    }),
    flush: (signal) => sender.flush(signal),
  };
}
