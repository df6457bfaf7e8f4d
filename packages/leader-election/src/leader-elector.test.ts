import { TransportError } from "@trimtab/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LeaderElector, type LeaderElectorOptions } from "./leader-elector.ts";
import { LeaseLostError } from "./lease-lost-error.ts";
import { LeaseServer } from "./lease-server.fixture.ts";

const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const never = new AbortController().signal;

describe("LeaderElector", () => {
  let server: LeaseServer;
  beforeEach(() => {
    // AbortSignal.timeout keeps real time, which these tests do not.
    vi.useFakeTimers();
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      const abort = new AbortController();
      setTimeout(() => abort.abort(new DOMException("timed out", "TimeoutError")), ms);
      return abort.signal;
    });
    server = new LeaseServer();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  const pass = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

  function elector(identity: string, options: Partial<LeaderElectorOptions> = {}): LeaderElector {
    return new LeaderElector({ client: server.client, namespace: "home", leaseName: "lease", identity, ...options });
  }

  interface Run {
    readonly elector: LeaderElector;
    readonly stop: AbortController;
    /** Lets what it leads end. */
    readonly end: () => void;
    readonly ended: Promise<Error | undefined>;
    leading: AbortSignal | undefined;
    lost: AbortSignal | undefined;
  }

  function start(identity: string, options: Partial<LeaderElectorOptions> = {}): Run {
    const stop = new AbortController();
    const work = Promise.withResolvers<void>();
    const one = elector(identity, options);
    const ended = one
      .run(stop.signal, (leading, lost) => {
        run.leading = leading;
        run.lost = lost;
        leading.addEventListener("abort", () => options.onError === undefined && work.resolve());
        return work.promise;
      })
      .then(
        () => undefined,
        (error: Error) => error,
      );
    const run: Run = { elector: one, stop, end: work.resolve, ended, leading: undefined, lost: undefined };
    return run;
  }

  it("takes a lease that is not there, and says since when it holds it", async () => {
    const run = start("one");
    await pass();
    expect(run.leading?.aborted).toBe(false);
    expect(run.elector.isLeader).toBe(true);
    expect(server.lease?.spec).toEqual({
      holderIdentity: "one",
      leaseDurationSeconds: 15,
      acquireTime: expect.stringMatching(microTime),
      renewTime: expect.stringMatching(microTime),
      leaseTransitions: 0,
    });
  });

  it("renews every two seconds, by one request", async () => {
    start("one");
    await pass();
    const { requests, lease } = server;
    await pass(10_000);
    expect(server.requests - requests).toBe(5);
    expect(server.lease?.spec?.acquireTime).toBe(lease?.spec?.acquireTime);
    expect(server.lease?.spec?.renewTime).not.toBe(lease?.spec?.renewTime);
  });

  it("waits while another renews, and tells who that is", async () => {
    const seen: string[] = [];
    start("one");
    await pass();
    const standby = start("two", { onNewLeader: (identity) => seen.push(identity) });
    await pass(60_000);
    expect(standby.leading).toBeUndefined();
    expect(seen).toEqual(["one"]);
    expect(() => standby.elector.fence()).toThrow(LeaseLostError);
  });

  it("takes a lease over once it has not changed for as long as it says, whatever the times in it", async () => {
    const inAYear = "2030-01-01T00:00:00.000000Z";
    server.write({ holderIdentity: "dead", leaseDurationSeconds: 30, renewTime: inAYear, leaseTransitions: 4 });
    const run = start("two");
    await pass(29_000);
    expect(run.leading).toBeUndefined();
    await pass(6_000);
    expect(run.elector.isLeader).toBe(true);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: "two", leaseTransitions: 5 });
  });

  it("takes a lease at once that was released", async () => {
    server.write({ holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 2 });
    start("two");
    await pass();
    expect(server.lease?.spec).toMatchObject({ holderIdentity: "two", leaseTransitions: 3 });
  });

  it("asks at random times between 2 s and 4.4 s, so that standbys do not ask all at once", async () => {
    server.write({ holderIdentity: "one", leaseDurationSeconds: 3_600 });
    const random = vi.spyOn(Math, "random").mockReturnValue(0);
    start("two");
    await pass(2_000);
    expect(server.requests).toBe(2);
    random.mockReturnValue(0.999);
    await pass(2_000);
    expect(server.requests).toBe(3);
    await pass(4_300);
    expect(server.requests).toBe(3);
    await pass(100);
    expect(server.requests).toBe(4);
  });

  it("lets two that see a free lease at once not both have it", async () => {
    server.write({ holderIdentity: "", leaseDurationSeconds: 1 });
    const runs = [start("one"), start("two"), start("three")];
    await pass(10_000);
    expect(runs.filter(({ elector }) => elector.isLeader)).toHaveLength(1);
  });

  it("releases the lease once what it leads has ended, and renews it until then", async () => {
    const run = start("one", { onError: () => {} });
    await pass();
    run.stop.abort();
    await pass(20_000);
    expect(run.leading?.aborted).toBe(true);
    expect(run.elector.isLeader).toBe(true);
    expect(server.lease?.spec?.holderIdentity).toBe("one");
    run.end();
    expect(await run.ended).toBeUndefined();
    expect(server.lease?.spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 0 });
    expect(run.elector.isLeader).toBe(false);
    const { requests } = server;
    await pass(60_000);
    expect(server.requests).toBe(requests);
  });

  it("says that the lease was lost to what it leads, also while that is stopping", async () => {
    const run = start("one", { onError: () => {} });
    await pass();
    run.stop.abort();
    await pass(4_000);
    expect([run.leading?.aborted, run.lost?.aborted]).toEqual([true, false]);
    server.write({ holderIdentity: "two", leaseDurationSeconds: 15 });
    await pass(2_000);
    expect(run.lost?.reason).toBeInstanceOf(LeaseLostError);
    run.end();
    expect(await run.ended).toBeInstanceOf(LeaseLostError);
    expect(server.lease?.spec?.holderIdentity).toBe("two");
  });

  it("leaves the lease to expire if what it leads fails, for it may go on", async () => {
    const one = elector("one");
    const failure = new Error("failed");
    await expect(one.run(never, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(server.lease?.spec?.holderIdentity).toBe("one");
  });

  it("ends without having led if it is told to before", async () => {
    server.write({ holderIdentity: "one", leaseDurationSeconds: 15 });
    const run = start("two");
    await pass();
    run.stop.abort();
    expect(await run.ended).toBeUndefined();
    expect(run.leading).toBeUndefined();
    expect(server.written).toHaveLength(1);
  });

  it("does not throw away a lease that somebody else has touched in between", async () => {
    const run = start("one");
    await pass();
    server.write({ ...server.lease?.spec, strategy: "somebody's" });
    await pass(2_000);
    expect(run.elector.isLeader).toBe(true);
    expect(run.leading?.aborted).toBe(false);
  });

  it("goes on over failures, as long as a renewal succeeds within ten seconds", async () => {
    const errors: string[] = [];
    const run = start("one", { onError: ({ message }) => errors.push(message) });
    await pass();
    for (let failure = 1; failure <= 3; failure += 1) server.failures.push(new TransportError("away"));
    await pass(60_000);
    expect(run.elector.isLeader).toBe(true);
    expect(run.elector.error).toBeUndefined();
    expect(errors).toEqual(["away"]);
  });

  it("gives up ten seconds after it began the last renewal that succeeded, five before another may begin", async () => {
    const run = start("one");
    await pass(2_000);
    server.isSilent = true;
    await pass(9_900);
    expect(run.elector.isLeader).toBe(true);
    await pass(200);
    expect(run.elector.isLeader).toBe(false);
    expect(() => run.elector.fence()).toThrow(LeaseLostError);
    expect(run.leading?.aborted).toBe(true);
    expect(run.leading?.reason).toBeInstanceOf(LeaseLostError);
    expect(await run.ended).toBeInstanceOf(LeaseLostError);
  });

  it("gives up at once when another holds the lease", async () => {
    const run = start("one");
    await pass();
    server.write({ holderIdentity: "two", leaseDurationSeconds: 15 });
    await pass(2_000);
    expect(run.elector.isLeader).toBe(false);
    expect((await run.ended)?.message).toContain("two holds it");
    expect(server.lease?.spec?.holderIdentity).toBe("two");
  });

  it("does not go on after it was stopped for longer than it may lead, even if nobody took the lease", async () => {
    const run = start("one");
    await pass();
    const { requests } = server;
    const now = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(now + 20_000);
    expect(() => run.elector.fence()).toThrow(LeaseLostError);
    await pass(2_000);
    expect(await run.ended).toBeInstanceOf(LeaseLostError);
    expect(server.requests).toBe(requests);
  });

  it("gives up a request that hangs in time for another", async () => {
    server.isSilent = true;
    const run = start("one");
    await pass(4_900);
    server.isSilent = false;
    expect(run.leading).toBeUndefined();
    await pass(5_000);
    expect(run.elector.isLeader).toBe(true);
  });

  it.for([
    [{ leaseDuration: "10s" }, "leaseDuration 10s must be longer than renewDeadline 10s"],
    [{ renewDeadline: "2s" }, "renewDeadline 2s must be longer than 1.2 times retryPeriod 2s"],
    [{ leaseDuration: "15500ms" }, "leaseDuration 15500ms: a Lease counts in whole seconds"],
  ] as const)("refuses times that leave none: %j", ([times, message]) => {
    expect(() => elector("one", times)).toThrow(message);
  });
});
