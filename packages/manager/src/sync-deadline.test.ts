import { ConfigMap, Secret } from "@trimtab/apimachinery";
import type { Cache, InformerHealth } from "@trimtab/cache";
import { ApiError, TransportError } from "@trimtab/client";
import { describe, expect, it } from "vitest";
import { syncDeadline } from "./sync-deadline.ts";

const never = new AbortController().signal;

function failing(error: Error): InformerHealth {
  return { type: Secret, synced: false, state: "failing", error, sinceMs: 121_000, silentMs: 121_000 };
}

function cacheOf(health: () => readonly InformerHealth[]): Cache {
  return { health } as unknown as Cache;
}

describe("syncDeadline", () => {
  it.for([
    ["credentials that are refused", new ApiError("who?", { reason: "Unauthorized", statusCode: 401 })],
    [
      "a server that is not to be trusted",
      new TransportError("GET: self-signed", { cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" } }),
    ],
  ] as const)("gives up on %s, and names the kinds", async ([, error]) => {
    const synced: InformerHealth = { type: ConfigMap, synced: true, state: "alive", sinceMs: 0, silentMs: 0 };
    const waiting = syncDeadline(
      cacheOf(() => [synced, failing(error)]),
      120_000,
      never,
    );
    await expect(waiting).rejects.toThrow("caches never synced, within 120 s: secrets");
    await expect(waiting).rejects.toMatchObject({ cause: error });
  });

  it.for([
    ["a missing CRD", new ApiError("not found", { reason: "NotFound", statusCode: 404 })],
    ["a missing RBAC rule", new ApiError("forbidden", { reason: "Forbidden", statusCode: 403 })],
    ["an API server that is away", new TransportError("GET: refused", { cause: { code: "ECONNREFUSED" } })],
    ["an API server that is unwell", new ApiError("etcd is ill", { reason: "InternalError", statusCode: 500 })],
  ] as const)("waits for %s", async ([, error]) => {
    let asked = 0;
    const waiting = syncDeadline(
      cacheOf(() => [{ ...failing(error), synced: ++asked > 5 }]),
      1,
      never,
    );
    await waiting;
    expect(asked).toBe(6);
  });

  it("ends with its signal", async () => {
    const stop = new AbortController();
    const waiting = syncDeadline(
      cacheOf(() => [failing(new Error("whatever"))]),
      120_000,
      stop.signal,
    );
    stop.abort();
    await waiting;
  });
});
