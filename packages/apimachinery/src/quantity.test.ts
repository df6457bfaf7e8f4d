import { describe, expect, it } from "vitest";
import { isEqualQuantity } from "./quantity.ts";

describe("isEqualQuantity", () => {
  it.each([
    ["1000m", "1"],
    ["1", 1],
    ["0.5", "500m"],
    ["1Ki", "1024"],
    ["0.5Gi", "512Mi"],
    ["1e3", "1k"],
    ["1.5G", "1500M"],
    ["+1", "1"],
    ["0", "0Mi"],
    ["9007199254740993", "9007199254740993000m"],
  ])("takes %s and %s for one amount", (a, b) => {
    expect(isEqualQuantity(a, b)).toBe(true);
    expect(isEqualQuantity(b, a)).toBe(true);
  });

  it.each([
    ["1", "1m"],
    ["1K", "1k"],
    ["1Ki", "1k"],
    ["-1", "1"],
    ["9007199254740993", "9007199254740992"],
    ["x", "x"],
    [undefined, undefined],
  ])("does not take %s and %s for one amount", (a, b) => {
    expect(isEqualQuantity(a, b)).toBe(false);
  });
});
