interface Entry {
  readonly item: string;
  dueMs: number;
  /** Where it stands in the heap. */
  index: number;
}

/** Items by the moment at which they are due: each at most once, the earliest first. O(log n). */
export class Agenda {
  /** A binary heap: no entry is due before its parent, which stands at `(index - 1) >> 1`. */
  readonly #heap: Entry[] = [];
  readonly #entries = new Map<string, Entry>();

  get size(): number {
    return this.#heap.length;
  }

  /** When the earliest is due; `undefined` if there is none. */
  get nextMs(): number | undefined {
    return this.#heap[0]?.dueMs;
  }

  /** Puts the item down, or moves it forward; it is never put off. */
  put(item: string, dueMs: number): void {
    const known = this.#entries.get(item);
    if (known === undefined) {
      const entry: Entry = { item, dueMs, index: this.#heap.length };
      this.#entries.set(item, entry);
      this.#heap.push(entry);
      this.#rise(entry);
    } else if (dueMs < known.dueMs) {
      known.dueMs = dueMs;
      this.#rise(known);
    }
  }

  remove(item: string): void {
    const entry = this.#entries.get(item);
    if (entry === undefined) return;
    this.#entries.delete(item);
    const last = this.#heap.pop() as Entry;
    if (last === entry) return;
    this.#place(last, entry.index);
    this.#rise(last);
    this.#sink(last);
  }

  /** Takes the earliest, if it is due by `nowMs`. */
  takeDue(nowMs: number): string | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.dueMs > nowMs) return undefined;
    this.remove(first.item);
    return first.item;
  }

  clear(): void {
    this.#heap.length = 0;
    this.#entries.clear();
  }

  #rise(entry: Entry): void {
    while (entry.index > 0) {
      const parent = this.#heap[(entry.index - 1) >> 1] as Entry;
      if (parent.dueMs <= entry.dueMs) return;
      this.#swap(parent, entry);
    }
  }

  #sink(entry: Entry): void {
    for (;;) {
      const left = this.#heap[2 * entry.index + 1];
      const right = this.#heap[2 * entry.index + 2];
      const child = right !== undefined && left !== undefined && right.dueMs < left.dueMs ? right : left;
      if (child === undefined || child.dueMs >= entry.dueMs) return;
      this.#swap(entry, child);
    }
  }

  #swap(upper: Entry, lower: Entry): void {
    const { index } = upper;
    this.#place(upper, lower.index);
    this.#place(lower, index);
  }

  #place(entry: Entry, index: number): void {
    entry.index = index;
    this.#heap[index] = entry;
  }
}
