import { ApiError } from "@trimtab/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ControllerRun } from "../test/controller-run.ts";
import type { ScriptedCache } from "../test/scripted-cache.ts";
import { Widget, widget } from "../test/widget.ts";
import { done, requeueAfter, TerminalError } from "./index.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const settled = () => vi.advanceTimersByTimeAsync(0);
const key = { namespace: "default", name: "a" };

describe("Controller", () => {
  it("reconciles nothing before the cache has synced, and then everything it holds", async () => {
    const seen: string[] = [];
    const run = new ControllerRun(async ({ metadata }) => {
      seen.push(metadata.name);
      return done();
    });
    for (const name of ["a", "b"]) run.cache.put(Widget, widget(name), { initial: true });
    const ended = run.run();
    await settled();
    expect(seen).toEqual([]);

    run.cache.sync();
    await settled();
    expect(seen).toEqual(["a", "b"]);
    run.stop();
    await ended;
  });

  it("ends at once if it is stopped before the cache has synced", async () => {
    const run = new ControllerRun(async () => done());
    const ended = run.run();
    run.stop();
    await expect(ended).resolves.toBeUndefined();
  });

  it("gives an object exactly one more run for any number of changes during a run", async () => {
    const gate = Promise.withResolvers<void>();
    const versions: string[] = [];
    const run = new ControllerRun(async ({ metadata }) => {
      versions.push(metadata.resourceVersion);
      await gate.promise;
      return done();
    });
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await settled();
    for (const resourceVersion of ["101", "102", "103"]) run.cache.put(Widget, widget("a", { resourceVersion }));
    await settled();
    expect(versions).toHaveLength(1);

    gate.resolve();
    await settled();
    expect(versions.slice(1)).toEqual(["103"]);
    run.stop();
    await ended;
  });

  it.each([
    { atOnce: undefined, expected: 8 },
    { atOnce: 3, expected: 3 },
    { atOnce: 50, expected: 50 },
  ])("works on $expected objects at once where the process asks for $atOnce", async ({ atOnce, expected }) => {
    const gate = Promise.withResolvers<void>();
    let underWay = 0;
    const run = new ControllerRun(
      async () => {
        underWay += 1;
        await gate.promise;
        return done();
      },
      atOnce === undefined ? {} : { atOnce },
    );
    for (let i = 0; i < 100; i++) run.cache.put(Widget, widget(`widget-${i}`));
    const ended = run.start();
    await settled();
    expect(underWay).toBe(expected);
    expect(run.controller.underWayMs()).toHaveLength(expected);
    expect(run.controller.waiting).toBe(100 - expected);
    run.stop();
    gate.resolve();
    await ended;
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses to work on %d objects at once", (atOnce) => {
    expect(() => new ControllerRun(async () => done(), { atOnce })).toThrow(RangeError);
  });

  it("takes what changes while it runs before what was there when it started", async () => {
    const seen: string[] = [];
    const run = new ControllerRun(
      async ({ metadata }) => {
        seen.push(metadata.name);
        return done();
      },
      { atOnce: 1 },
    );
    for (const name of ["old-1", "old-2"]) run.cache.put(Widget, widget(name), { initial: true });
    run.cache.put(Widget, widget("new"));
    const ended = run.start();
    await settled();
    expect(seen).toEqual(["new", "old-1", "old-2"]);
    run.stop();
    await ended;
  });

  it("does not call reconcile for an object that is gone", async () => {
    const reconcile = vi.fn(async () => done());
    const run = new ControllerRun(reconcile);
    run.cache.put(Widget, widget("a"));
    run.cache.remove(Widget, key);
    const ended = run.start();
    await settled();
    expect(reconcile).not.toHaveBeenCalled();
    run.stop();
    await ended;
  });

  it("goes on after a predicate that threw, and says whose event was lost", async () => {
    const predicate = vi.fn().mockImplementationOnce(() => {
      throw new TypeError("no status");
    });
    const run = new ControllerRun(async () => done(), { source: { predicate: predicate.mockReturnValue(true) } });
    run.cache.put(Widget, widget("a"));
    run.cache.put(Widget, widget("b"));
    expect(run.controller.waiting).toBe(1);
    expect(run.linesOf("error")).toMatchObject([
      { controller: "widget", kind: "Widget", key: "default/a", err: { message: "no status" } },
    ]);
  });
});

describe("Controller, of an object that cannot be looked up", () => {
  it("says so and goes on, where an event handler named one that the cache does not hold", async () => {
    const seen: string[] = [];
    const run = new ControllerRun(async ({ metadata }) => {
      seen.push(metadata.name);
      return done();
    });
    run.cache.refuse("elsewhere");
    run.cache.put(Widget, widget("a", { namespace: "elsewhere" }));
    run.cache.put(Widget, widget("b"));
    const ended = run.start();
    await settled();
    expect(seen).toEqual(["b"]);
    expect(run.linesOf("error")).toMatchObject([{ key: "elsewhere/a", err: { message: "elsewhere is not watched" } }]);
    run.stop();
    await ended;
  });
});

describe("Controller, by how a reconcile ends", () => {
  it("looks again after requeueAfter, and only then", async () => {
    const reconcile = vi.fn().mockResolvedValueOnce(requeueAfter("10s")).mockResolvedValue(done());
    const run = new ControllerRun(reconcile);
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await vi.advanceTimersByTimeAsync(9_900);
    expect(reconcile).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(reconcile).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(reconcile).toHaveBeenCalledTimes(2);
    run.stop();
    await ended;
  });

  it("backs off further with each error, and logs it with what caused it", async () => {
    const run = new ControllerRun(async () => {
      throw new Error("cannot scale", { cause: new Error("the quota is used up") });
    });
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await vi.advanceTimersByTimeAsync(60_000);
    run.stop();
    await ended;

    const errors = run.linesOf("error");
    const delays = errors.map(({ retryInMs }) => retryInMs as number);
    expect(delays.length).toBeGreaterThan(10);
    for (const [failures, delayMs] of delays.entries()) {
      expect(delayMs).toBeGreaterThanOrEqual((5 * 2 ** failures) / 2);
      expect(delayMs).toBeLessThanOrEqual(5 * 2 ** failures);
    }
    expect(errors[0]).toMatchObject({
      msg: "reconcile failed",
      controller: "widget",
      namespace: "default",
      name: "a",
      reconcileID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      err: { message: "cannot scale: the quota is used up", stack: expect.stringContaining("caused by: Error") },
    });
  });

  it("starts from the shortest delay again after a success", async () => {
    let failing = true;
    const run = new ControllerRun(async () => {
      if (failing) throw new Error("not yet");
      return done();
    });
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await vi.advanceTimersByTimeAsync(1_000);
    failing = false;
    await vi.advanceTimersByTimeAsync(10_000);
    failing = true;
    const before = run.linesOf("error").length;
    run.cache.put(Widget, widget("a"));
    await settled();
    expect(run.linesOf("error")[before]?.["retryInMs"]).toBeLessThanOrEqual(5);
    run.stop();
    await ended;
  });

  it.each([
    ["that the cache saw being made anew", (cache: ScriptedCache) => cache.remove(Widget, key)],
    ["whose making anew the watch has missed", () => undefined],
  ])("does not hold the failures of a deleted object against its namesake %s", async (_, remove) => {
    const run = new ControllerRun(async () => {
      throw new Error("never");
    });
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await vi.advanceTimersByTimeAsync(10_000);
    const before = run.linesOf("error").length;
    remove(run.cache);
    run.cache.put(Widget, widget("a", { uid: "another" }));
    await settled();
    expect(run.linesOf("error")[before]?.["retryInMs"]).toBeLessThanOrEqual(5);
    run.stop();
    await ended;
  });

  it("looks again quietly where somebody else wrote first", async () => {
    const conflict = new ApiError("the object has been modified", { reason: "Conflict", statusCode: 409 });
    const reconcile = vi
      .fn()
      .mockRejectedValueOnce(conflict)
      .mockRejectedValueOnce(new Error("cannot write", { cause: conflict }))
      .mockResolvedValue(done());
    const run = new ControllerRun(reconcile);
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await vi.advanceTimersByTimeAsync(100);
    expect(reconcile).toHaveBeenCalledTimes(3);
    expect(run.lines.filter(({ level }) => level > 20)).toEqual([]);
    expect(run.linesOf("debug")).toHaveLength(2);
    run.stop();
    await ended;
  });

  it("reports a terminal error once, and tries again only when something changes", async () => {
    const reconcile = vi.fn().mockRejectedValue(new TerminalError("spec.image is no image"));
    const run = new ControllerRun(reconcile);
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(reconcile).toHaveBeenCalledTimes(1);
    expect(run.linesOf("error")).toHaveLength(1);
    run.cache.put(Widget, widget("a"));
    await settled();
    expect(reconcile).toHaveBeenCalledTimes(2);
    run.stop();
    await ended;
  });

  it("does not hold what failed before a terminal error against the next change", async () => {
    const reconcile = vi.fn().mockRejectedValue(new Error("not yet"));
    const run = new ControllerRun(reconcile);
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await vi.advanceTimersByTimeAsync(10_000);
    reconcile.mockRejectedValueOnce(new TerminalError("never"));
    await vi.advanceTimersByTimeAsync(20_000);
    const before = run.lines.length;
    run.cache.put(Widget, widget("a"));
    await settled();
    expect(run.lines[before]?.["retryInMs"]).toBeLessThanOrEqual(5);
    run.stop();
    await ended;
  });

  it("is back at work within 5 s of the return of an API server that was away for ten minutes", async () => {
    let away = true;
    const reconcile = vi.fn(async () => {
      if (away) throw new ApiError("the server is shutting down", { reason: "ServiceUnavailable", statusCode: 503 });
      return done();
    });
    const run = new ControllerRun(reconcile);
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(run.linesOf("warn")).toHaveLength(1);
    expect(run.linesOf("error")).toEqual([]);
    away = false;
    const before = reconcile.mock.calls.length;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reconcile).toHaveBeenCalledTimes(before + 1);
    run.stop();
    await ended;
  });

  it("names the RBAC rule that is missing, and is back at work within 30 s of its being granted", async () => {
    const message =
      'deployments.apps is forbidden: User "system:serviceaccount:a:b" cannot create resource "deployments" in API group "apps" in the namespace "default"';
    let granted = false;
    const reconcile = vi.fn(async () => {
      if (!granted) throw new ApiError(message, { reason: "Forbidden", statusCode: 403 });
      return done();
    });
    const run = new ControllerRun(reconcile);
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(run.linesOf("error")[0]?.msg).toContain(
      '{"apiGroups":["apps"],"resources":["deployments"],"verbs":["create"]}',
    );
    expect(reconcile.mock.calls.length).toBeLessThan(4 * 10 + 10);
    granted = true;
    const before = reconcile.mock.calls.length;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(reconcile).toHaveBeenCalledTimes(before + 1);
    run.stop();
    await ended;
  });

  it.each([["a string"], [undefined], [null], [{ password: "hunter2" }]])(
    "takes %j for an error, if that is what was thrown, and shows no more of it than is safe",
    async (thrown) => {
      const run = new ControllerRun(async () => {
        throw thrown;
      });
      run.cache.put(Widget, widget("a"));
      const ended = run.start();
      await settled();
      expect(run.linesOf("error")).toHaveLength(1);
      expect(JSON.stringify(run.lines)).not.toContain("hunter2");
      run.stop();
      await ended;
    },
  );

  it("takes an error that is thrown before the first await as any other", async () => {
    const run = new ControllerRun(() => {
      throw new Error("at once");
    });
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await settled();
    expect(run.linesOf("error")).toHaveLength(1);
    run.stop();
    await ended;
  });
});

describe("Controller, when a reconcile takes too long", () => {
  it("aborts its signal, and keeps its object from other workers until it has ended", async () => {
    const gate = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const run = new ControllerRun(
      async (_, { signal }) => {
        signals.push(signal);
        await gate.promise;
        signal.throwIfAborted();
        return done();
      },
      { reconcileTimeout: "2s" },
    );
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await vi.advanceTimersByTimeAsync(1_900);
    expect(signals[0]?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(signals[0]?.aborted).toBe(true);
    run.cache.put(Widget, widget("a"));
    await settled();
    expect(signals).toHaveLength(1);
    expect(run.controller.stuck(30_000)).toEqual(["default/a"]);
    expect(run.controller.stuck(90_000)).toEqual([]);

    gate.resolve();
    await settled();
    expect(signals).toHaveLength(2);
    expect(run.linesOf("error")[0]).toMatchObject({
      err: { message: "the reconcile has taken longer than its 2000 ms" },
    });
    run.stop();
    await ended;
  });

  it("leaves no timer behind when it ends in time", async () => {
    const run = new ControllerRun(async () => done(), { reconcileTimeout: "2s" });
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await settled();
    expect(vi.getTimerCount()).toBe(0);
    run.stop();
    await ended;
  });
});

describe("Controller, when it stops", () => {
  it("takes no more objects, and lets the reconciles under way end", async () => {
    const gate = Promise.withResolvers<void>();
    const seen: string[] = [];
    const run = new ControllerRun(
      async ({ metadata }) => {
        seen.push(metadata.name);
        await gate.promise;
        return requeueAfter("1s");
      },
      { atOnce: 1 },
    );
    for (const name of ["a", "b"]) run.cache.put(Widget, widget(name));
    let over = false;
    const ended = run.start().then(() => {
      over = true;
    });
    await settled();
    run.stop();
    await settled();
    expect(over).toBe(false);
    gate.resolve();
    await ended;
    expect(seen).toEqual(["a"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("aborts them when it is in a hurry, and says nothing of how they ended", async () => {
    const run = new ControllerRun(async (_, { signal }) => {
      await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      return done();
    });
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await settled();
    run.stop();
    run.hurry();
    await ended;
    expect(run.lines).toEqual([]);
  });
});

describe("Controller context", () => {
  it("gives each run a log that carries the object and an id of the run", async () => {
    const run = new ControllerRun(async (_, context) => {
      context.log.info("one");
      context.log.info("two");
      return done();
    });
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await settled();
    run.cache.put(Widget, widget("a"));
    await settled();
    const lines = run.linesOf("info");
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line).toMatchObject({ controller: "widget", namespace: "default", name: "a" });
    expect(lines[0]?.["reconcileID"]).toBe(lines[1]?.["reconcileID"]);
    expect(lines[0]?.["reconcileID"]).not.toBe(lines[2]?.["reconcileID"]);
    run.stop();
    await ended;
  });

  it("records events about the object", async () => {
    const run = new ControllerRun(async (_, { recorder }) => {
      recorder.normal("Created", "created it");
      return done();
    });
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await settled();
    expect(run.events).toEqual(["Created: created it"]);
    run.stop();
    await ended;
  });
});

describe("Controller observer", () => {
  it("is told of keys and of how their turns end", async () => {
    const told: string[] = [];
    const reconcile = vi
      .fn()
      .mockRejectedValueOnce(new Error("not yet"))
      .mockRejectedValueOnce(new ApiError("modified", { reason: "Conflict", statusCode: 409 }))
      .mockRejectedValueOnce(new TerminalError("never"))
      .mockResolvedValueOnce(requeueAfter("1h"))
      .mockResolvedValue(done());
    const run = new ControllerRun(reconcile, {
      observer: {
        made: ({ name }) => told.push(`made ${name}`),
        added: () => told.push("added"),
        retried: () => told.push("retried"),
        ended: (outcome) => told.push(outcome),
      },
    });
    run.cache.put(Widget, widget("a"));
    const ended = run.start();
    await vi.advanceTimersByTimeAsync(100);
    run.cache.put(Widget, widget("a"));
    await vi.advanceTimersByTimeAsync(100);
    run.cache.put(Widget, widget("a"));
    await settled();
    expect(told).toEqual(
      ["made widget", "added", "retried", "error", "added", "retried", "conflict", "added", "terminal"].concat([
        "added",
        "requeue_after",
        "added",
        "success",
      ]),
    );
    run.stop();
    await ended;
  });
});
