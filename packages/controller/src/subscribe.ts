import { formatKey, type KubeObject } from "@trimtab/apimachinery";
import type { Cache, ObjectEvent } from "@trimtab/cache";
import type { Priority } from "@trimtab/workqueue";
import type { WatchDefinition } from "./controller-for.ts";

/** What becomes of the events of a watch; items are keys as `formatKey` has them. */
export interface Subscriber {
  add(item: string, priority: Priority): void;
  /** Another object has taken the name of one that is reconciled. */
  replaced(item: string): void;
  /** A predicate or event handler threw, and with that the event is lost. */
  lost(error: unknown, watch: WatchDefinition, item: string): void;
}

/** Has each event of a watch that counts add the keys it concerns: those of the initial lists at low priority. */
export function subscribe(cache: Cache, watch: WatchDefinition, subscriber: Subscriber): void {
  const { type, relation, predicate, handler } = watch;
  cache.onEvent(type, (event, { initial }) => {
    if (relation === "self" && isReplacement(event)) subscriber.replaced(formatKey(event.object.metadata));
    try {
      if (predicate !== undefined && !predicate(event)) return;
      for (const key of handler(event, cache.reader)) subscriber.add(formatKey(key), initial ? "low" : "normal");
    } catch (error) {
      // An informer must not end because a controller's own code threw.
      subscriber.lost(error, watch, formatKey(event.object.metadata));
    }
  });
}

/** Whether whatever has this name from now on is another object; one whose deletion the watch missed comes as an update. */
function isReplacement(event: ObjectEvent<KubeObject>): boolean {
  if (event.type === "deleted") return true;
  return event.type === "updated" && event.object.metadata.uid !== event.previous.metadata.uid;
}
