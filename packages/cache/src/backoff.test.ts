import { ApiError } from "@trimtab/client";
import { describe, expect, it } from "vitest";
import { Backoff } from "./backoff.ts";

const refused = new Error("connection refused");
const forbidden = new ApiError("no", { reason: "Forbidden", statusCode: 403 });
const overloaded = new ApiError("later", { reason: "TooManyRequests", statusCode: 429 });

function waitsOf(error: Error | undefined, random: () => number, count = 8): number[] {
  const backoff = new Backoff(1_000, random);
  return Array.from({ length: count }, () => backoff.next(error, 0));
}

describe("Backoff", () => {
  it("waits at least a second, so that a stream makes one attempt a second at most", () => {
    for (const error of [refused, forbidden, overloaded, undefined]) {
      expect(Math.min(...waitsOf(error, () => 0))).toBeGreaterThanOrEqual(1_000);
    }
  });

  it("waits at most two seconds for an API server that is away, however long it is away", () => {
    expect(Math.max(...waitsOf(refused, () => 1, 100))).toBe(2_000);
  });

  it("doubles up to half a minute while the API server answers with failures", () => {
    expect(waitsOf(overloaded, () => 1)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  });

  it("asks every few seconds whether a role or a kind has come", () => {
    expect(waitsOf(forbidden, () => 0.5)).toEqual(Array(8).fill(3_000));
  });

  it("is random, so that streams that broke off together do not return together", () => {
    expect(new Set(waitsOf(refused, Math.random)).size).toBeGreaterThan(4);
  });

  it("waits for as long as Retry-After says", () => {
    const asked = new ApiError("later", {
      reason: "TooManyRequests",
      statusCode: 429,
      details: { retryAfterSeconds: 7 },
    });
    expect(waitsOf(asked, () => 0, 2)).toEqual([7_000, 7_000]);
  });

  it("does not let an absurd Retry-After silence a stream for more than a minute", () => {
    const absurd = new ApiError("later", {
      reason: "TooManyRequests",
      statusCode: 429,
      details: { retryAfterSeconds: 1e9 },
    });
    expect(waitsOf(absurd, () => 0, 1)).toEqual([60_000]);
  });

  it("begins anew with a different trouble", () => {
    const backoff = new Backoff(1_000, () => 1);
    for (let i = 0; i < 9; i++) backoff.next(overloaded, 0);
    backoff.next(refused, 0);
    expect(backoff.next(overloaded, 0)).toBe(2_000);
  });

  it("begins anew after a request that lived for long", () => {
    const backoff = new Backoff(1_000, () => 1);
    for (let i = 0; i < 9; i++) backoff.next(overloaded, 0);
    expect(backoff.next(overloaded, 11_000)).toBe(2_000);
  });
});
