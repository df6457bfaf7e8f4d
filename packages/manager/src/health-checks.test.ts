import { ConfigMap } from "@trimtab/apimachinery";
import type { InformerHealth } from "@trimtab/cache";
import { ApiError } from "@trimtab/client";
import type { Controller } from "@trimtab/controller";
import { describe, expect, it } from "vitest";
import { type ReadinessFacts, readiness, wellness } from "./health-checks.ts";

const alive: InformerHealth = { type: ConfigMap, synced: true, state: "alive", sinceMs: 60_000, silentMs: 1_000 };
const facts: ReadinessFacts = { informers: [alive], election: undefined, isStopping: false, missingRules: [] };

function failing(change: Partial<ReadinessFacts>): readonly (string | undefined)[] {
  return readiness({ ...facts, ...change })
    .map(({ trouble }) => trouble)
    .filter((trouble) => trouble !== undefined);
}

function controller(stuck: readonly string[]): Controller {
  return { name: "c", stuck: () => stuck } as unknown as Controller;
}

describe("readiness", () => {
  it("needs every cache to have synced and every watch to live", () => {
    expect(failing({})).toEqual([]);
    expect(failing({ informers: [alive, { ...alive, synced: false, state: "starting" }] })).toEqual([
      "not synced yet (for 60 s)",
    ]);
    const broken = { ...alive, state: "failing", error: new Error("refused") } as const;
    expect(failing({ informers: [broken] })).toEqual(["cannot watch configmaps: refused (for 60 s)"]);
  });

  it("does not need a namespace that is forbidden, but names it, where another is seen", () => {
    const text = 'User "op" cannot watch resource "configmaps" in API group "" in the namespace "b"';
    const error = new ApiError(text, { reason: "Forbidden", statusCode: 403 });
    const refused = { ...alive, namespace: "b", synced: false, state: "failing", error } as const;
    const rule = /^op may not watch configmaps in the namespace b: grant it .* \(for 60 s\)$/;
    expect(readiness({ ...facts, informers: [{ ...alive, namespace: "a" }, refused] })[1]).toEqual({
      name: "cache:configmaps@b",
      trouble: undefined,
      note: expect.stringMatching(rule),
    });
    expect(failing({ informers: [refused, { ...refused, namespace: "a" }] })).toEqual([
      expect.stringMatching(rule),
      expect.stringMatching(rule),
    ]);
    const missing = new ApiError("no such kind", { reason: "NotFound", statusCode: 404 });
    expect(
      failing({
        informers: [
          { ...alive, namespace: "a" },
          { ...refused, error: missing },
        ],
      }),
    ).toHaveLength(1);
  });

  it("needs the lease to be within reach, not to be held", () => {
    expect(failing({ election: { error: undefined } })).toEqual([]);
    expect(failing({ election: { error: new Error("refused") } })).toEqual([
      "the lease can be neither had nor renewed: refused",
    ]);
  });

  it("ends when the process begins to stop", () => {
    expect(failing({ isStopping: true })).toEqual(["the process is stopping"]);
  });
});

describe("wellness", () => {
  const troubles = (informers: readonly InformerHealth[], stuck: readonly string[]): readonly (string | undefined)[] =>
    wellness(informers, [controller(stuck)])
      .map(({ trouble }) => trouble)
      .filter((trouble) => trouble !== undefined);

  it("is not troubled by what heals by itself", () => {
    const away: InformerHealth = { ...alive, state: "failing", error: new Error("away"), silentMs: 600_000 };
    expect(troubles([alive, away, { ...alive, synced: false, state: "starting" }], [])).toEqual([]);
  });

  it("ends with a watch that is silent and does not know it, or a worker that is stuck", () => {
    expect(troubles([{ ...alive, silentMs: 181_000 }], [])).toEqual(["nothing was heard for 181 s"]);
    expect(troubles([alive], ["home/it"])[0]).toContain("home/it");
  });
});
