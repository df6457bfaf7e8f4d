import { describe, expect, it } from "vitest";
import { setCondition } from "./condition.ts";

const first = new Date("2026-01-01T00:00:00Z");
const later = new Date("2026-01-01T01:00:00Z");
const ready = { type: "Ready", status: "True", reason: "AllRun", message: "3 of 3 run" } as const;

describe("setCondition", () => {
  it("keeps the time of the last transition while the status stays", () => {
    const before = setCondition([], { ...ready, observedGeneration: 1 }, first);
    const [after] = setCondition(before, { ...ready, message: "4 of 4 run", observedGeneration: 2 }, later);
    expect(after).toMatchObject({ message: "4 of 4 run", observedGeneration: 2 });
    expect(after?.lastTransitionTime).toBe(first.toISOString());
  });

  it("moves it when the status changes", () => {
    const before = setCondition([], ready, first);
    const [after] = setCondition(before, { ...ready, status: "Unknown" }, later);
    expect(after?.lastTransitionTime).toBe(later.toISOString());
  });

  it("leaves conditions of other types as they are, and in their places", () => {
    const theirs = { ...ready, type: "Theirs", lastTransitionTime: first.toISOString() };
    const conditions = setCondition([theirs], ready, later);
    expect(conditions.map(({ type }) => type)).toEqual(["Theirs", "Ready"]);
    expect(setCondition(conditions, { ...ready, status: "False" }, later)[0]).toBe(theirs);
  });
});
