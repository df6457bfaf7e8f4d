import { describe, expect, it } from "vitest";
import { exponentialBackoff } from "./rate-limiter.ts";

describe("exponentialBackoff", () => {
  it("doubles the delay with each failure of the same item", () => {
    const limiter = exponentialBackoff({ random: () => 0 });
    expect([limiter.delayMs("a"), limiter.delayMs("a"), limiter.delayMs("b"), limiter.delayMs("a")]).toEqual([
      5, 10, 5, 20,
    ]);
  });

  it("never exceeds its limit, after however many failures", () => {
    const limiter = exponentialBackoff({ maxMs: 1_000, random: () => 0 });
    const delays = Array.from({ length: 3_000 }, () => limiter.delayMs("a"));
    expect(Math.max(...delays)).toBe(1_000);
    expect(delays.every(Number.isFinite)).toBe(true);
  });

  it("spreads items that failed together over the upper half of the delay", () => {
    const limiter = exponentialBackoff({ baseMs: 1_000 });
    const delays = Array.from({ length: 1_000 }, (_, i) => limiter.delayMs(`item-${i}`));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(500);
    expect(Math.max(...delays)).toBeLessThanOrEqual(1_000);
    expect(new Set(delays).size).toBeGreaterThan(990);
  });

  it("counts from the start once an item is forgotten", () => {
    const limiter = exponentialBackoff({ random: () => 0 });
    limiter.delayMs("a");
    limiter.delayMs("a");
    limiter.forget("a");
    expect(limiter.delayMs("a")).toBe(5);
  });
});
