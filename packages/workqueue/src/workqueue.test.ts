import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exponentialBackoff } from "./rate-limiter.ts";
import { Workqueue } from "./workqueue.ts";

const unjittered = () => exponentialBackoff({ random: () => 0 });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("Workqueue", () => {
  it("hands out items in the order in which they were added", async () => {
    const queue = new Workqueue();
    for (const item of ["a", "b", "c"]) queue.add(item);
    expect([await queue.take(), await queue.take(), await queue.take()]).toEqual(["a", "b", "c"]);
  });

  it("takes an item once, however often it was added", async () => {
    const queue = new Workqueue();
    queue.add("a");
    queue.add("a");
    await queue.take();
    expect(queue.size).toBe(0);
  });

  it("holds an item back while it is being processed, and gives it exactly one more turn", async () => {
    const queue = new Workqueue();
    queue.add("a");
    await queue.take();
    queue.add("a");
    queue.add("a");
    expect(queue.size).toBe(0);
    queue.done("a");
    expect(queue.size).toBe(1);
    expect(await queue.take()).toBe("a");
    queue.done("a");
    expect(queue.size).toBe(0);
  });

  it("wakes whoever waits for an item, the first to come first", async () => {
    const queue = new Workqueue();
    const taken = [queue.take(), queue.take()];
    queue.add("a");
    queue.add("b");
    expect(await Promise.all(taken)).toEqual(["a", "b"]);
  });

  it("does not hand an item to a second taker while the first one works on it", async () => {
    const queue = new Workqueue();
    const first = queue.take();
    const second = queue.take();
    queue.add("a");
    queue.add("a");
    await first;
    queue.add("b");
    expect(await second).toBe("b");
  });

  it("sends every taker home when it closes, and ignores what is added after that", async () => {
    const queue = new Workqueue();
    const taken = queue.take();
    queue.addAfter("b", 10);
    queue.close();
    queue.add("a");
    queue.addAfter("c", 10);
    vi.advanceTimersByTime(20);
    expect(await taken).toBeUndefined();
    expect(await queue.take()).toBeUndefined();
    expect(queue.size).toBe(0);
  });

  it("lets a taker go when its signal aborts, and keeps the item for the next one", async () => {
    const queue = new Workqueue();
    const abort = new AbortController();
    const taken = queue.take(abort.signal);
    abort.abort();
    expect(await taken).toBeUndefined();
    queue.add("a");
    expect(await queue.take(abort.signal)).toBeUndefined();
    expect(await queue.take()).toBe("a");
  });
});

describe("Workqueue delays", () => {
  it("lets an item in line when its delay is over, and not before", () => {
    const queue = new Workqueue();
    queue.addAfter("a", 1_000);
    vi.advanceTimersByTime(999);
    expect(queue.size).toBe(0);
    vi.advanceTimersByTime(2);
    expect(queue.size).toBe(1);
  });

  it("keeps the earliest of several delays of one item", () => {
    const queue = new Workqueue();
    queue.addAfter("a", 1_000);
    queue.addAfter("a", 10);
    queue.addAfter("a", 5_000);
    vi.advanceTimersByTime(11);
    expect(queue.size).toBe(1);
  });

  it("makes a delay void by a turn that comes before it is over", async () => {
    const queue = new Workqueue();
    queue.addAfter("a", 1_000);
    queue.add("a");
    await queue.take();
    queue.done("a");
    vi.advanceTimersByTime(2_000);
    expect(queue.size).toBe(0);
  });

  it("keeps a delay that was asked for during the turn", async () => {
    const queue = new Workqueue();
    queue.add("a");
    await queue.take();
    queue.addAfter("a", 1_000);
    queue.done("a");
    vi.advanceTimersByTime(1_001);
    expect(queue.size).toBe(1);
  });

  it("waits for delays beyond what setTimeout can hold", () => {
    const queue = new Workqueue();
    const sixtyDaysMs = 60 * 24 * 3_600_000;
    queue.addAfter("a", sixtyDaysMs);
    vi.advanceTimersByTime(sixtyDaysMs - 1_000);
    expect(queue.size).toBe(0);
    vi.advanceTimersByTime(1_001);
    expect(queue.size).toBe(1);
  });

  it("holds one timer, however many items are delayed, and none once it is closed", () => {
    const queue = new Workqueue();
    for (let i = 0; i < 1_000; i++) queue.addAfter(`item-${i}`, 1_000 + ((i * 7_919) % 1_000));
    expect(vi.getTimerCount()).toBe(1);
    queue.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("lets delayed items in line in the order in which they are due", async () => {
    const queue = new Workqueue();
    for (const delayMs of [30, 10, 50, 20, 40]) queue.addAfter(`after-${delayMs}`, delayMs);
    vi.advanceTimersByTime(60);
    const order = [];
    while (queue.size > 0) order.push(await queue.take());
    expect(order).toEqual(["after-10", "after-20", "after-30", "after-40", "after-50"]);
  });

  it("backs off further with each failure until the item is forgotten", () => {
    const queue = new Workqueue({ rateLimiter: unjittered() });
    expect([1, 2, 3].map(() => queue.addRateLimited("a"))).toEqual([5, 10, 20]);
    queue.forget("a");
    expect(queue.addRateLimited("a")).toBe(5);
  });
});

describe("Workqueue priorities", () => {
  it("puts what is normal before what is low", async () => {
    const queue = new Workqueue();
    queue.add("old", "low");
    queue.add("new");
    expect(await queue.take()).toBe("new");
    expect(await queue.take()).toBe("old");
  });

  it("raises a low item that is added as normal, and never lowers one", async () => {
    const queue = new Workqueue();
    for (const item of ["a", "b"]) queue.add(item, "low");
    queue.add("b");
    queue.add("b", "low");
    expect(queue.size).toBe(2);
    expect(await queue.take()).toBe("b");
    expect(await queue.take()).toBe("a");
  });

  it("keeps the highest priority that was asked for during a turn", async () => {
    const queue = new Workqueue();
    queue.add("a", "low");
    await queue.take();
    queue.add("a", "low");
    queue.add("a");
    queue.add("a", "low");
    queue.add("b", "low");
    queue.done("a");
    expect(await queue.take()).toBe("a");
  });

  it("gives a low item its turn although the normal line never empties", async () => {
    const queue = new Workqueue();
    for (const item of ["low-1", "low-2"]) queue.add(item, "low");
    for (let i = 0; i < 3; i++) queue.add(`poll-${i}`);
    const turns: string[] = [];
    for (let turn = 0; turn < 18; turn++) {
      const item = (await queue.take()) as string;
      turns.push(item);
      queue.done(item);
      if (item.startsWith("poll")) queue.add(item);
    }
    expect(turns.indexOf("low-1")).toBe(8);
    expect(turns.indexOf("low-2")).toBe(17);
  });

  it("does not hold a low item low after its turn", async () => {
    const queue = new Workqueue({ rateLimiter: unjittered() });
    queue.add("a", "low");
    await queue.take();
    queue.addRateLimited("a");
    queue.done("a");
    queue.add("b", "low");
    vi.advanceTimersByTime(10);
    expect(await queue.take()).toBe("a");
  });
});

describe("Workqueue observer", () => {
  it("counts an item each time it gets in line, and tells how long it was there", async () => {
    const seen: string[] = [];
    const queue = new Workqueue({
      rateLimiter: unjittered(),
      observer: {
        added: () => seen.push("added"),
        retried: () => seen.push("retried"),
        taken: (waitedMs) => seen.push(`taken after ${Math.round(waitedMs)}`),
      },
    });
    queue.add("a", "low");
    queue.add("a");
    vi.advanceTimersByTime(40);
    await queue.take();
    queue.addRateLimited("a");
    queue.done("a");
    vi.advanceTimersByTime(6);
    await queue.take();
    expect(seen).toEqual(["added", "taken after 40", "retried", "added", expect.stringMatching(/taken after [01]/)]);
  });
});

describe("Workqueue, in a process", () => {
  beforeEach(() => {
    vi.useRealTimers();
  });

  it("hands out 200,000 items at a steady pace", { timeout: 20_000 }, async () => {
    const queue = new Workqueue();
    const count = 200_000;
    for (let i = 0; i < count; i++) queue.add(`default/item-${i}`, i % 2 === 0 ? "low" : "normal");
    for (let i = 0; i < count; i++) queue.done((await queue.take()) as string);
    expect(queue.size).toBe(0);
  });

  it("keeps no process alive for a delayed item", () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
    const before = timers();
    const queue = new Workqueue();
    queue.addAfter("a", 60_000);
    expect(timers()).toBe(before);
    queue.close();
  });

  it("leaves nothing on the signal of a taker that got its item", async () => {
    const { signal } = new AbortController();
    const queue = new Workqueue();
    const taken = queue.take(signal);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    queue.add("a");
    await taken;
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});
