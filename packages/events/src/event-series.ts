import { randomUUID } from "node:crypto";
import { type Event, type KubeObject, microTime } from "@trimtab/apimachinery";
import type { Created } from "@trimtab/client";
import { truncate } from "./truncate.ts";

/** What the API server allows (pkg/apis/core/validation/events.go). */
const maxReasonBytes = 128;
const maxNoteBytes = 1_024;
const maxNameLength = 253;

/** After this long without another, an event like it begins a series of its own (client-go's `finishTime`). */
const seriesEndsAfterMs = 6 * 60_000;

export type EventType = "Normal" | "Warning";

/** Who reports. */
export interface Reporter {
  readonly controller: string;
  readonly instance: string;
}

/**
 * Something that happened to an object, once or several times: one Event in the cluster. Unlike client-go's, its
 * events are alike in their note too, so that no note is lost in another's series.
 */
export class EventSeries {
  readonly namespace: string;
  readonly type: EventType;
  readonly reason: string;
  readonly note: string;
  readonly #regarding: NonNullable<Event["regarding"]> & { readonly name: string };
  readonly #firstTime: string = microTime();
  #name: string;
  #count = 1;
  #lastTime: string = this.#firstTime;
  #lastMs: number = performance.now();
  /** How many of them the API server knows of. */
  #sentCount = 0;
  /** When it may be sent, by the monotonic clock. */
  dueMs = 0;

  constructor(object: KubeObject, type: EventType, reason: string, note: string) {
    const { name, namespace, uid, resourceVersion } = object.metadata;
    this.namespace = namespace ?? "default";
    this.type = type;
    this.reason = truncate(reason, maxReasonBytes);
    this.note = truncate(note, maxNoteBytes);
    this.#name = uniqueName(name);
    this.#regarding = {
      apiVersion: object.apiVersion,
      kind: object.kind,
      name,
      uid,
      resourceVersion,
      ...(namespace !== undefined && { namespace }),
    };
  }

  get name(): string {
    return this.#name;
  }

  get exists(): boolean {
    return this.#sentCount > 0;
  }

  get hasEnded(): boolean {
    return performance.now() - this.#lastMs > seriesEndsAfterMs;
  }

  /** The same has happened again. */
  repeat(): void {
    this.#count += 1;
    this.#lastTime = microTime();
    this.#lastMs = performance.now();
  }

  /** What of it the API server does not know yet. */
  get unsent(): number {
    return this.#count - this.#sentCount;
  }

  /** The API server has been told of its first `count`. */
  sent(count: number): void {
    this.#sentCount = count;
  }

  /** Takes it for one that the API server has never heard of, under another name. */
  startOver(): void {
    this.#name = uniqueName(this.#regarding.name);
    this.#sentCount = 0;
  }

  get count(): number {
    return this.#count;
  }

  get series(): { readonly count: number; readonly lastObservedTime: string } {
    return { count: this.#count, lastObservedTime: this.#lastTime };
  }

  toEvent(reporter: Reporter): Created<Event> {
    return {
      metadata: { name: this.#name, namespace: this.namespace },
      eventTime: this.#firstTime,
      reportingController: reporter.controller,
      reportingInstance: truncate(reporter.instance, 128),
      action: "Reconcile",
      reason: this.reason,
      regarding: this.#regarding,
      note: this.note,
      type: this.type,
      ...(this.#count > 1 && { series: this.series }),
    };
  }
}

let lastStamp = 0n;

/** `<object>.<hexadecimal nanoseconds>`, as client-go names events; never the same twice in a process. */
function uniqueName(object: string): string {
  const now = BigInt(Date.now()) * 1_000_000n;
  lastStamp = now > lastStamp ? now : lastStamp + 1n;
  const name = `${object}.${lastStamp.toString(16)}`;
  // Names of some kinds, RBAC's among them, are no names for an Event.
  return name.length <= maxNameLength && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name) ? name : randomUUID();
}
