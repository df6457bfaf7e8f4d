import type { KubeObject } from "@trimtab/apimachinery";
import { ApiError, TransportError } from "@trimtab/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createEventRecorder, type EventRecorder } from "./event-recorder.ts";
import { EventServer } from "./event-server.fixture.ts";

const configMap: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name: "it",
    namespace: "home",
    uid: "uid-1",
    resourceVersion: "7",
    creationTimestamp: "2026-01-01T00:00:00Z",
  },
};

function refusal(statusCode: number, reason: "Forbidden" | "NotFound" | "AlreadyExists", cause?: string): ApiError {
  return new ApiError("refused", {
    reason,
    statusCode,
    details: cause === undefined ? {} : { causes: [{ reason: cause }] },
  });
}

describe("EventRecorder", () => {
  let server: EventServer;
  let errors: Error[];
  let events: EventRecorder;
  beforeEach(() => {
    vi.useFakeTimers();
    server = new EventServer();
    errors = [];
    events = createEventRecorder({
      client: server.client,
      controller: "toy",
      instance: "here",
      onError: (error) => errors.push(error),
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pass = (ms = 50): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

  it("writes what happened, to which object, and who says so", async () => {
    events.recorderFor(configMap).warning("Broken", "it broke");
    await pass();
    expect(server.sent[0]?.body).toEqual({
      metadata: { namespace: "home", name: expect.stringMatching(/^it\.[0-9a-f]+$/) },
      eventTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      type: "Warning",
      reason: "Broken",
      note: "it broke",
      action: "Reconcile",
      reportingController: "toy",
      reportingInstance: "here",
      regarding: {
        apiVersion: "v1",
        kind: "ConfigMap",
        namespace: "home",
        name: "it",
        uid: "uid-1",
        resourceVersion: "7",
      },
    });
  });

  it("writes of a cluster-scoped object to the namespace default", async () => {
    const { namespace: _, ...metadata } = configMap.metadata;
    events.recorderFor({ ...configMap, metadata }).normal("Made", "made");
    await pass();
    expect(server.sent[0]?.body.metadata.namespace).toBe("default");
    expect(server.sent[0]?.body.regarding).not.toHaveProperty("namespace");
  });

  it("gives no two events one name, nor one that is none", async () => {
    const recorder = events.recorderFor(configMap);
    for (let index = 0; index < 5; index += 1) recorder.normal("Made", `number ${index}`);
    for (const name of ["system:node", "n".repeat(250)])
      events.recorderFor({ ...configMap, metadata: { ...configMap.metadata, name } }).normal("Made", name);
    await pass();
    const names = server.sent.map(({ name }) => name);
    expect(new Set(names).size).toBe(7);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/);
  });

  it("keeps within what the API server takes", async () => {
    const long = createEventRecorder({ client: server.client, controller: "toy", instance: "i".repeat(300) });
    long.recorderFor(configMap).normal("R".repeat(200), "ü".repeat(2_000));
    await pass();
    const { reason, note, reportingInstance } = server.sent[0]?.body ?? {};
    for (const [text, most] of [
      [reason, 128],
      [note, 1_024],
      [reportingInstance, 128],
    ] as const)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
  });

  it("counts what is alike in one event, and says so no more than every ten seconds", async () => {
    const recorder = events.recorderFor(configMap);
    recorder.normal("Made", "made");
    await pass();
    for (let index = 0; index < 3; index += 1) {
      recorder.normal("Made", "made");
      await pass(1_000);
    }
    expect(server.summary).toEqual(["create Made x1"]);
    await pass(10_000);
    expect(server.summary).toEqual(["create Made x1", "patch x4"]);
    expect(server.sent[1]?.name).toBe(server.sent[0]?.name);
    expect(server.sent[1]?.body.series.lastObservedTime).toMatch(/\.\d{6}Z$/);
  });

  it("folds nothing that differs in reason, type, note or object", async () => {
    const other = { ...configMap, metadata: { ...configMap.metadata, uid: "uid-2" } };
    events.recorderFor(configMap).normal("Made", "made");
    events.recorderFor(configMap).normal("Made", "made again");
    events.recorderFor(configMap).normal("Kept", "made");
    events.recorderFor(configMap).warning("Made", "made");
    events.recorderFor(other).normal("Made", "made");
    await pass();
    expect(server.sent).toHaveLength(5);
  });

  it("begins a series anew when six minutes lie between", async () => {
    const recorder = events.recorderFor(configMap);
    recorder.normal("Made", "made");
    await pass(6 * 60_000 + 1);
    recorder.normal("Made", "made");
    await pass();
    expect(server.summary).toEqual(["create Made x1", "create Made x1"]);
  });

  it("writes an event anew that has expired meanwhile, with its count", async () => {
    const recorder = events.recorderFor(configMap);
    recorder.normal("Made", "made");
    await pass(20_000);
    server.failures.push(refusal(404, "NotFound"));
    recorder.normal("Made", "made");
    await pass(20_000);
    expect(server.summary).toEqual(["create Made x1", "patch x2", "create Made x2"]);
  });

  it("chooses another name if that one is taken", async () => {
    server.failures.push(refusal(409, "AlreadyExists"));
    events.recorderFor(configMap).normal("Made", "made");
    await pass();
    expect(server.sent.map(({ verb }) => verb)).toEqual(["create", "create"]);
    expect(server.sent[0]?.name).not.toBe(server.sent[1]?.name);
    expect(errors).toEqual([]);
  });

  it("sends one at a time", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.hold = promise;
    for (let index = 0; index < 3; index += 1) events.recorderFor(configMap).normal("Made", `number ${index}`);
    await pass(5_000);
    expect(server.sent).toHaveLength(1);
    resolve();
    await pass();
    expect(server.sent.map(({ body }) => body.note)).toEqual(["number 0", "number 1", "number 2"]);
  });

  it("sends 25 of a storm at once, and then five a second", async () => {
    for (let index = 0; index < 500; index += 1) events.recorderFor(configMap).normal("Made", `number ${index}`);
    await pass();
    expect(server.sent).toHaveLength(25);
    await pass(2_000);
    expect(server.sent).toHaveLength(35);
    await pass(100_000);
    expect(server.sent).toHaveLength(500);
  });

  it("drops the oldest where more wait than it holds, and says how many", async () => {
    for (let index = 0; index < 1_010; index += 1) events.recorderFor(configMap).normal("Made", `number ${index}`);
    await pass();
    expect(server.sent[0]?.body.note).toBe("number 10");
    expect(errors.map(({ message }) => message)).toEqual(["10 events were dropped: too many were waiting"]);
  });

  it("waits for an API server that is away, and loses nothing", async () => {
    server.failures.push(new TransportError("away"), new TransportError("still away"));
    events.recorderFor(configMap).normal("Made", "made");
    await pass(10_000);
    expect(server.summary).toEqual(["create Made x1", "create Made x1", "create Made x1"]);
    expect(errors).toEqual([]);
  });

  it("is silent about a namespace that is going, or gone", async () => {
    server.failures.push(refusal(403, "Forbidden", "NamespaceTerminating"), refusal(404, "NotFound"));
    events.recorderFor(configMap).normal("Made", "made");
    events.recorderFor(configMap).normal("Kept", "kept");
    await pass(60_000);
    expect(server.sent).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  it("reports what is refused, and does not try it again", async () => {
    server.failures.push(refusal(403, "Forbidden"));
    events.recorderFor(configMap).normal("Made", "made");
    await pass(60_000);
    expect(server.sent).toHaveLength(1);
    expect(errors[0]?.cause).toBeInstanceOf(ApiError);
  });

  it("does not throw at who gives no reason", async () => {
    events.recorderFor(configMap).normal("", "made");
    await pass();
    expect(server.sent).toEqual([]);
    expect(errors[0]?.message).toContain("gives no reason");
  });

  it("sends all that waits when it is flushed, with the counts that are due later", async () => {
    for (let index = 0; index < 100; index += 1) events.recorderFor(configMap).normal("Made", `number ${index}`);
    await pass();
    events.recorderFor(configMap).normal("Made", "number 0");
    await events.flush(new AbortController().signal);
    expect(server.sent).toHaveLength(101);
    expect(server.summary).toContain("patch x2");
  });

  it("gives up flushing when it is told to, or the API server is away", async () => {
    const abort = new AbortController();
    server.hold = new Promise(() => {});
    events.recorderFor(configMap).normal("Made", "made");
    await pass();
    const flushed = events.flush(abort.signal);
    abort.abort();
    await flushed;

    server.hold = Promise.resolve();
    const others = createEventRecorder({ client: server.client, controller: "toy", instance: "here" });
    for (let index = 0; index < 30; index += 1) others.recorderFor(configMap).normal("Made", `number ${index}`);
    await pass();
    const before = server.sent.length;
    server.failures.push(new TransportError("away"));
    await others.flush(new AbortController().signal);
    expect(server.sent.length - before).toBe(1);
  });
});
