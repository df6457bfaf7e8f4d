import { setTimeout as sleep } from "node:timers/promises";
import type { Controller } from "@trimtab/controller";
import { LeaseLostError } from "@trimtab/leader-election";
import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { AbandonedError, runControllers } from "./run-controllers.ts";

/** A controller that has one reconcile under way, which ends as a test says. */
class FakeController {
  readonly name = "fake";
  readonly #work = Promise.withResolvers<void>();
  readonly #stopping = Promise.withResolvers<void>();
  readonly #hurrying = Promise.withResolvers<void>();
  readonly stopping: Promise<void> = this.#stopping.promise;
  readonly hurrying: Promise<void> = this.#hurrying.promise;
  underWay: readonly string[] = ["home/it"];
  hurried = false;

  async run(signal: AbortSignal, hurry: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#stopping.resolve());
    hurry.addEventListener("abort", () => {
      this.hurried = true;
      this.#hurrying.resolve();
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
    return this.underWay;
  }
}

describe("runControllers", () => {
  let stop: AbortController;
  let lose: AbortController;
  let one: FakeController;
  let other: FakeController;
  let lines: string[];
  beforeEach(() => {
    stop = new AbortController();
    lose = new AbortController();
    one = new FakeController();
    other = new FakeController();
    lines = [];
  });

  function run(graceMs = 60_000): Promise<unknown> {
    const controllers = [one, other] as unknown as readonly Controller[];
    const log = pino({}, { write: (line) => lines.push(line) });
    return runControllers(controllers, stop.signal, { graceMs, lost: lose.signal, log }).then(
      () => "ended",
      (error) => error,
    );
  }

  function end(): void {
    one.end();
    other.end();
  }

  it("gives reconciles their time to end, and then aborts them", async () => {
    const ended = run(100);
    const stoppedMs = performance.now();
    stop.abort();
    await one.stopping;
    expect(one.hurried).toBe(false);
    await one.hurrying;
    expect(performance.now() - stoppedMs).toBeGreaterThan(98);
    end();
    expect(await ended).toBe("ended");
  });

  it("gives them more time than a timer can last, where that is asked for", async () => {
    const ended = run(2 ** 32);
    stop.abort();
    await sleep(50);
    expect(one.hurried).toBe(false);
    end();
    expect(await ended).toBe("ended");
  });

  it("waits for no longer than they take", async () => {
    const ended = run();
    stop.abort();
    end();
    expect(await ended).toBe("ended");
    expect(one.hurried).toBe(false);
  });

  it("stops and aborts them at once when the lease is lost", async () => {
    const ended = run();
    lose.abort(new LeaseLostError("lost"));
    await Promise.all([one.stopping, one.hurrying]);
    end();
    expect(await ended).toBe("ended");
    expect(lines).toEqual([expect.stringContaining("the lease is lost: aborting reconciles")]);
  });

  it("has nothing to tell of a lease that is lost while no reconcile is under way", async () => {
    one.underWay = other.underWay = [];
    const ended = run();
    lose.abort(new LeaseLostError("lost"));
    await new Promise((resolve) => setImmediate(resolve));
    end();
    expect(await ended).toBe("ended");
    expect(lines).toEqual([]);
  });

  it("aborts them at once when the lease is lost while they may end", async () => {
    const ended = run();
    stop.abort();
    await one.stopping;
    expect(one.hurried).toBe(false);
    lose.abort(new LeaseLostError("lost"));
    await one.hurrying;
    end();
    expect(await ended).toBe("ended");
  });

  it("names those that go on all the same", async () => {
    const ended = run(0);
    stop.abort();
    one.end();
    expect(await ended).toEqual(
      new AbandonedError("these reconciles go on although they were aborted: fake home/it, fake home/it"),
    );
  });

  it("stops the others when one fails, and says why", async () => {
    const ended = run();
    const failure = new Error("failed");
    one.fail(failure);
    await other.stopping;
    other.end();
    expect(await ended).toBe(failure);
  });
});
