import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { pause } from "./pause.ts";

describe("pause", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("ends as soon as its signal aborts, and leaves no timer behind", async () => {
    const stop = new AbortController();
    const pausing = pause(10_000, stop.signal);
    stop.abort();
    await pausing;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("lasts as long as a timer can where that is asked for, or longer", async () => {
    let isOver = false;
    void pause(Number.POSITIVE_INFINITY, new AbortController().signal).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(2 ** 31 - 2);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });
});
