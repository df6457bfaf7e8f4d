import { describe, expect, it } from "vitest";
import { formatSelector, type LabelSelector, matchesSelector } from "./selector.ts";

const selector: LabelSelector = {
  matchLabels: { app: "web" },
  matchExpressions: [
    { key: "tier", operator: "In", values: ["a", "b"] },
    { key: "env", operator: "NotIn", values: ["test"] },
    { key: "owner", operator: "Exists" },
    { key: "paused", operator: "DoesNotExist" },
  ],
};

describe("a label selector", () => {
  it("is written as a query has it", () => {
    expect(formatSelector(selector)).toBe("app=web,tier in (a,b),env notin (test),owner,!paused");
    expect(formatSelector({})).toBe("");
  });

  it("holds where all of its requirements do", () => {
    const labels = { app: "web", tier: "a", owner: "" };
    expect(matchesSelector(labels, selector)).toBe(true);
    for (const wrong of [{ app: "db" }, { tier: "c" }, { env: "test" }, { paused: "" }])
      expect(matchesSelector({ ...labels, ...wrong }, selector)).toBe(false);
  });

  it("holds for everything when it is empty, and takes a label that is not there for no value", () => {
    expect(matchesSelector(undefined, {})).toBe(true);
    expect(matchesSelector(undefined, { matchLabels: { app: "web" } })).toBe(false);
    expect(matchesSelector({}, { matchExpressions: [{ key: "app", operator: "NotIn", values: ["web"] }] })).toBe(true);
  });
});
