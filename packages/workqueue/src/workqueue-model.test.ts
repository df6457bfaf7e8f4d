import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exponentialBackoff } from "./rate-limiter.ts";
import { type Priority, Workqueue } from "./workqueue.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Deterministic numbers in [0, 1): a linear congruential generator. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The queue as its promises describe it, with no thought for speed. */
class Model {
  readonly waiting: { readonly item: string; readonly priority: Priority }[] = [];
  readonly processing = new Set<string>();
  readonly again = new Map<string, Priority>();
  readonly dueMs = new Map<string, number>();

  add(item: string, priority: Priority): void {
    if (this.processing.has(item)) {
      this.again.set(item, this.again.get(item) === "normal" ? "normal" : priority);
      return;
    }
    const index = this.waiting.findIndex((entry) => entry.item === item);
    const known = this.waiting[index];
    if (known?.priority === "normal" || (known !== undefined && priority === "low")) return;
    if (known !== undefined) this.waiting.splice(index, 1);
    this.waiting.push({ item, priority });
  }

  addAfter(item: string, dueMs: number): void {
    this.dueMs.set(item, Math.min(dueMs, this.dueMs.get(item) ?? dueMs));
  }

  advance(nowMs: number): void {
    const due = [...this.dueMs].filter(([, dueMs]) => dueMs <= nowMs).toSorted(([, a], [, b]) => a - b);
    for (const [item] of due) {
      this.dueMs.delete(item);
      this.add(item, "normal");
    }
  }

  /** The items that the queue may hand out next: the first of either line. */
  candidates(): (string | undefined)[] {
    return (["normal", "low"] as const).map((wanted) => this.waiting.find(({ priority }) => priority === wanted)?.item);
  }

  take(item: string): void {
    this.waiting.splice(
      this.waiting.findIndex((entry) => entry.item === item),
      1,
    );
    this.processing.add(item);
    this.dueMs.delete(item);
  }

  done(item: string): void {
    this.processing.delete(item);
    const priority = this.again.get(item);
    this.again.delete(item);
    if (priority !== undefined) this.add(item, priority);
  }
}

describe("Workqueue, by random operations", () => {
  it("is fair, stingy, exclusive and forgets nothing", async () => {
    for (let seed = 1; seed <= 150; seed++) {
      const random = randomFrom(seed);
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
      const items = Array.from({ length: 2 + Math.floor(random() * 10) }, (_, i) => `default/item-${i}`);
      const queue = new Workqueue({ rateLimiter: exponentialBackoff({ random }) });
      const model = new Model();
      let passed = 0;

      for (let step = 0; step < 300; step++) {
        const chance = random();
        if (chance < 0.35) {
          const [item, priority] = [pick(items), pick<Priority>(["normal", "low"])];
          queue.add(item, priority);
          model.add(item, priority);
        } else if (chance < 0.45) {
          const item = pick(items);
          const delayMs = 1 + Math.floor(random() * 50);
          queue.addAfter(item, delayMs);
          model.addAfter(item, performance.now() + delayMs);
        } else if (chance < 0.7 && model.waiting.length > 0) {
          const [normal, low] = model.candidates();
          const taken = (await queue.take()) as string;
          expect([normal, low]).toContain(taken);
          if (taken === low) passed = 0;
          else if (low !== undefined) passed += 1;
          expect(passed).toBeLessThanOrEqual(8);
          model.take(taken);
        } else if (chance < 0.9 && model.processing.size > 0) {
          const item = pick([...model.processing]);
          queue.done(item);
          model.done(item);
        } else {
          vi.advanceTimersByTime(1);
          model.advance(performance.now());
        }
        expect(queue.size).toBe(model.waiting.length);
      }
      queue.close();
    }
  });
});
