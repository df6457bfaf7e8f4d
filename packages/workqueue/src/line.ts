/** An item and the moment at which it joined the line, by the monotonic clock. */
export type Arrival = readonly [item: string, joinedMs: number];

/** Items in the order in which they came; any of them may leave. Every operation is O(1). */
export class Line {
  readonly #joinedMs = new Map<string, number>();
  /**
   * Stands behind the item that was shifted last. A Map's iterator goes on over what is added later, so
   * one serves for ever: a new one would walk over the holes that the shifted items left.
   */
  readonly #front = this.#joinedMs.entries();

  get size(): number {
    return this.#joinedMs.size;
  }

  has(item: string): boolean {
    return this.#joinedMs.has(item);
  }

  push(item: string, joinedMs: number): void {
    this.#joinedMs.set(item, joinedMs);
  }

  /** Takes the first out of line. */
  shift(): Arrival | undefined {
    // Asking an iterator that has nothing left would end it.
    if (this.#joinedMs.size === 0) return undefined;
    const arrival = this.#front.next().value as Arrival;
    this.#joinedMs.delete(arrival[0]);
    return arrival;
  }

  /** Takes an item out of line. @returns when it joined; `undefined` if it was not in line */
  remove(item: string): number | undefined {
    const joinedMs = this.#joinedMs.get(item);
    this.#joinedMs.delete(item);
    return joinedMs;
  }

  clear(): void {
    this.#joinedMs.clear();
  }
}
