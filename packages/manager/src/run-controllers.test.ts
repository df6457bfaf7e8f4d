import type { Controller } from "@trimtab/controller";
import { LeaseLostError } from "@trimtab/leader-election";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AbandonedError, runControllers } from "./run-controllers.ts";

const log = pino({ level: "silent" });

/** A controller that has one reconcile under way, which ends as a test says. */
class FakeController {
  readonly name = "fake";
  readonly #work = Promise.withResolvers<void>();
  hurried = false;
  stopped = false;

  async run(signal: AbortSignal, hurry: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => {
      this.stopped = true;
    });
    hurry.addEventListener("abort", () => {
      this.hurried = true;
    });
    await this.#work.promise;
  }

  end(): void {
    this.#work.resolve();
  }

  fail(error: Error): void {
    this.#work.reject(error);
  }

  stuck(): readonly string[] {
    return ["home/it"];
  }
}

describe("runControllers", () => {
  let stop: AbortController;
  let lose: AbortController;
  let one: FakeController;
  let other: FakeController;
  let ended: Promise<unknown>;
  beforeEach(() => {
    vi.useFakeTimers();
    stop = new AbortController();
    lose = new AbortController();
    one = new FakeController();
    other = new FakeController();
    const controllers = [one, other] as unknown as readonly Controller[];
    ended = runControllers(controllers, stop.signal, { graceMs: 25_000, lost: lose.signal, log }).then(
      () => "ended",
      (error) => error,
    );
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("gives reconciles 25 s to end, and then aborts them", async () => {
    stop.abort();
    await vi.advanceTimersByTimeAsync(24_900);
    expect([one.stopped, one.hurried]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(200);
    expect(one.hurried).toBe(true);
    one.end();
    other.end();
    expect(await ended).toBe("ended");
  });

  it("waits for no longer than they take", async () => {
    stop.abort();
    one.end();
    other.end();
    expect(await ended).toBe("ended");
    expect(one.hurried).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("stops and aborts them at once when the lease is lost", async () => {
    lose.abort(new LeaseLostError("lost"));
    await vi.advanceTimersByTimeAsync(0);
    expect([one.stopped, one.hurried]).toEqual([true, true]);
    one.end();
    other.end();
    expect(await ended).toBe("ended");
  });

  it("aborts them at once when the lease is lost while they may end", async () => {
    stop.abort();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(one.hurried).toBe(false);
    lose.abort(new LeaseLostError("lost"));
    await vi.advanceTimersByTimeAsync(0);
    expect(one.hurried).toBe(true);
    one.end();
    other.end();
    expect(await ended).toBe("ended");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("names those that go on all the same", async () => {
    stop.abort();
    one.end();
    await vi.advanceTimersByTimeAsync(27_000);
    expect(await ended).toEqual(
      new AbandonedError("these reconciles go on although they were aborted: fake home/it, fake home/it"),
    );
  });

  it("stops the others when one fails, and says why", async () => {
    const failure = new Error("failed");
    one.fail(failure);
    await vi.advanceTimersByTimeAsync(0);
    expect(other.stopped).toBe(true);
    other.end();
    expect(await ended).toBe(failure);
  });
});
