import type { ConditionStatus } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import { readyWhen } from "./ready-when.ts";
import type { ConditionReport } from "./report-status.ts";

function condition(type: string, status: ConditionStatus): ConditionReport {
  return { type, status, reason: `${type}Is${status}`, message: `${type} is ${status}` };
}

describe("readyWhen", () => {
  it("is true when all conditions are", () => {
    expect(readyWhen(condition("Available", "True"), condition("Synced", "True"))).toEqual({
      type: "Ready",
      status: "True",
      reason: "AvailableIsTrue",
      message: "Available is True",
    });
  });

  it("is false for the reason of the first that is false, even after one that is unknown", () => {
    const ready = readyWhen(condition("A", "True"), condition("B", "Unknown"), condition("C", "False"));
    expect(ready).toMatchObject({ status: "False", reason: "CIsFalse" });
  });

  it("is unknown while one is unknown and none is false", () => {
    expect(readyWhen(condition("A", "True"), condition("B", "Unknown"))).toMatchObject({
      status: "Unknown",
      reason: "BIsUnknown",
    });
  });
});
