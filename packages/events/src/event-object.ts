import { randomBytes } from "node:crypto";
import type { Event, KubeObject } from "@trimtab/apimachinery";
import type { Created } from "@trimtab/client";

/** Something worth telling about an object, before it is an Event. */
export interface EventNote {
  readonly regarding: KubeObject;
  readonly type: "Normal" | "Warning";
  /** PascalCase, why: `Created`. */
  readonly reason: string;
  readonly message: string;
  readonly at: Date;
}

export interface EventReporter {
  readonly controller: string;
  readonly instance: string;
}

/** The bounds of `events.k8s.io/v1` (k8s.io/kubernetes pkg/apis/core/validation/events.go). */
const longestNoteBytes = 1_024;
const longestReason = 128;
const longestName = 253;

/** What makes two of them the same Event, seen twice. */
export function sameEventKey({ regarding, type, reason, message }: EventNote): string {
  return `${regarding.metadata.uid}\n${type}\n${reason}\n${message}`;
}

export function eventFor(note: EventNote, { controller, instance }: EventReporter): Created<Event> {
  const { apiVersion, kind, metadata } = note.regarding;
  const { name, namespace, uid, resourceVersion } = metadata;
  // Unique, as is required of it, and sorted by time among those of its object.
  const suffix = `.${note.at.getTime().toString(16)}${randomBytes(4).toString("hex")}`;
  return {
    metadata: { namespace: namespace ?? "default", name: name.slice(0, longestName - suffix.length) + suffix },
    eventTime: microTime(note.at),
    reportingController: controller,
    reportingInstance: instance.slice(0, 128),
    action: note.reason.slice(0, longestReason),
    reason: note.reason.slice(0, longestReason),
    type: note.type,
    note: cut(note.message, longestNoteBytes),
    regarding: { apiVersion, kind, name, uid, resourceVersion, ...(namespace !== undefined && { namespace }) },
  };
}

/** Says that it has been seen again. */
export function seriesPatch(count: number, at: Date): object {
  return { series: { count, lastObservedTime: microTime(at) } };
}

/** Go's `metav1.MicroTime` has six digits. */
function microTime(at: Date): string {
  return at.toISOString().replace("Z", "000Z");
}

/** As much of a text as fits in so many bytes of UTF-8, never half a character. */
function cut(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  let end = bytes - 3;
  while (((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${encoded.subarray(0, end).toString()}...`;
}
