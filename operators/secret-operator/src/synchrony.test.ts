import { describe, expect, it } from "vitest";
import type { MultiSecret } from "./api/v1alpha1/multisecret.ts";
import type { Outcome } from "./carry-out.ts";
import { multiSecretWith } from "./multisecret.fixture.ts";
import { ownershipConflict } from "./refusal.ts";
import { inNamespaces, statusOf } from "./synchrony.ts";

const now = new Date("2026-01-02T03:04:05.678Z");

function multiSecretThatHad(wanted: number, created: number): MultiSecret {
  return { ...multiSecretWith(), status: { wanted, created, change_time: "earlier" } };
}

function created(...namespaces: readonly string[]): readonly Outcome[] {
  return namespaces.map((namespace) => ({ type: "created", namespace }));
}

function conflicts(...namespaces: readonly string[]): readonly Outcome[] {
  return namespaces.map((namespace) => ({ type: "refused", namespace, refusal: ownershipConflict }));
}

describe("statusOf", () => {
  it("counts all namespaces, those that were right before and those that were made so", () => {
    expect(statusOf(multiSecretWith(), { wanted: 3, due: 2, outcomes: created("a", "b") }, now)).toEqual({
      wanted: 3,
      created: 3,
      change_time: "2026-01-02T03:04:05Z",
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "Synchronized",
          message: "3 of 3 namespaces hold the copy that they should",
        },
      ],
    });
  });

  it("leaves the time of change where nothing has changed", () => {
    expect(statusOf(multiSecretThatHad(2, 2), { wanted: 2, due: 0, outcomes: [] }, now).change_time).toBe("earlier");
    const refused = { wanted: 2, due: 1, outcomes: conflicts("a") };
    expect(statusOf(multiSecretThatHad(2, 1), refused, now).change_time).toBe("earlier");
  });

  it.each<readonly [string, Outcome["type"] & ("updated" | "deleted")]>([
    ["was updated", "updated"],
    ["was deleted", "deleted"],
  ])("moves the time of change where a copy %s", (_, type) => {
    const due = type === "updated" ? 1 : 0;
    const tally = { wanted: 2, due, outcomes: [{ type, namespace: "a" }] };
    expect(statusOf(multiSecretThatHad(2, 2), tally, now)).toMatchObject({
      created: 2,
      change_time: "2026-01-02T03:04:05Z",
    });
  });

  it("does not want a copy in a namespace that turns out to be going", () => {
    const outcomes: readonly Outcome[] = [...created("a"), { type: "leaving", namespace: "b" }];
    const status = statusOf(multiSecretWith(), { wanted: 2, due: 2, outcomes }, now);
    expect(status).toMatchObject({ wanted: 1, created: 1, conditions: [{ status: "True" }] });
  });

  it("says where a foreign Secret is in the way, and what to do", () => {
    const status = statusOf(
      multiSecretWith(),
      { wanted: 3, due: 3, outcomes: [...created("a"), ...conflicts("c", "b")] },
      now,
    );
    expect(status).toMatchObject({
      wanted: 3,
      created: 1,
      conditions: [{ status: "False", reason: "OwnershipConflict" }],
    });
    expect(status.conditions[0]?.message).toBe(
      "1 of 3 namespaces hold the copy that they should; in namespaces b, c: a Secret of that name is not this MultiSecret's: it is left alone; delete or rename it to make room",
    );
  });

  it("is not ready while a copy is on its way out", () => {
    const tally = { wanted: 1, due: 1, outcomes: [{ type: "waiting", namespace: "a" }] as const };
    expect(statusOf(multiSecretWith(), tally, now).conditions).toMatchObject([
      { status: "False", reason: "Synchronizing" },
    ]);
  });
});

describe("inNamespaces", () => {
  it("names a few and counts the rest", () => {
    expect(inNamespaces(["a"])).toBe("in namespace a");
    expect(inNamespaces(["b", "a"])).toBe("in namespaces a, b");
    expect(inNamespaces(Array.from("hgfedcba"))).toBe("in namespaces a, b, c, d, e and 3 more");
  });
});
