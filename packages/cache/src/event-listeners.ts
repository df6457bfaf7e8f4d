import { formatKey, type KubeObject, keyOf, type ResourceType } from "@trimtab/apimachinery";
import type { ObjectEvent } from "./object-event.ts";

/** What is known of an event beside what happened. */
export interface EventDetails {
  /** Part of the first list: the object was there before this process looked. */
  readonly initial: boolean;
}

/** Told of each event of a kind, in order; must not block, and what it returns is not awaited. */
export type EventListener<T extends KubeObject> = (event: ObjectEvent<T>, details: EventDetails) => void;

/** The listeners of one kind; what one of them throws is reported, and keeps nothing from the others. */
export class EventListeners<T extends KubeObject> {
  readonly #type: ResourceType<T>;
  readonly #onError: (error: Error) => void;
  readonly #listeners: EventListener<T>[] = [];

  constructor(type: ResourceType<T>, onError: (error: Error) => void) {
    this.#type = type;
    this.#onError = onError;
  }

  add(listener: EventListener<T>): void {
    this.#listeners.push(listener);
  }

  tell(events: Iterable<ObjectEvent<T>>, details: EventDetails): void {
    for (const event of events) {
      for (const listener of this.#listeners) {
        try {
          listener(event, details);
        } catch (cause) {
          const name = `${this.#type.kind} ${formatKey(keyOf(event.object))}`;
          this.#onError(new Error(`a listener threw when told that ${name} was ${event.type}`, { cause }));
        }
      }
    }
  }
}
