import { describe, expect, it } from "vitest";
import { Agenda } from "./agenda.ts";

/** Deterministic numbers in [0, 1): a linear congruential generator. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("Agenda", () => {
  it("yields what is due in order, and each item once, whatever was put and removed before", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = randomFrom(seed);
      const agenda = new Agenda();
      const model = new Map<string, number>();
      for (let step = 0; step < 200; step++) {
        const item = `item-${Math.floor(random() * 40)}`;
        if (random() < 0.7) {
          const dueMs = Math.floor(random() * 1_000);
          agenda.put(item, dueMs);
          model.set(item, Math.min(dueMs, model.get(item) ?? dueMs));
        } else {
          agenda.remove(item);
          model.delete(item);
        }
        expect(agenda.nextMs).toBe(model.size === 0 ? undefined : Math.min(...model.values()));
      }
      const due: [string, number][] = [];
      for (let nowMs = 0; nowMs <= 1_000; nowMs++) {
        for (let item = agenda.takeDue(nowMs); item !== undefined; item = agenda.takeDue(nowMs))
          due.push([item, nowMs]);
      }
      expect(new Map(due)).toEqual(model);
      expect(due).toHaveLength(model.size);
      expect(agenda.size).toBe(0);
    }
  });
});
