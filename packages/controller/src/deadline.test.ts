import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withDeadline } from "./deadline.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });

describe("withDeadline", () => {
  it("aborts once the limit is over", async () => {
    const run = withDeadline(1_000, new AbortController().signal, untilAborted);
    vi.advanceTimersByTime(1_000);
    await expect(run).rejects.toThrow("the reconcile has taken longer than its 1000 ms");
  });

  it("aborts with its parent, for the same reason, at once if the parent has already", async () => {
    const parent = new AbortController();
    const run = withDeadline(1_000, parent.signal, untilAborted);
    parent.abort(new Error("shutting down"));
    await expect(run).rejects.toThrow("shutting down");
    await expect(withDeadline(1_000, parent.signal, untilAborted)).rejects.toThrow("shutting down");
  });

  it("leaves neither a timer nor a listener behind", async () => {
    const { signal } = new AbortController();
    await withDeadline(1_000, signal, async () => {});
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});
