import { describe, expect, it } from "vitest";
import { isCustom } from "./resource-type.ts";

describe("isCustom", () => {
  it.each([
    ["", false],
    ["apps", false],
    ["coordination.k8s.io", false],
    ["cache.example.com", true],
    ["cluster.x-k8s.io", true],
  ])("of a kind in the group %j is %j", (group, expected) => {
    expect(isCustom({ group })).toBe(expected);
  });
});
