import { describe, expect, it } from "vitest";
import { compareResourceVersions } from "./resource-version.ts";

describe("compareResourceVersions", () => {
  it("orders versions as numbers, of more digits than a number holds too", () => {
    expect(compareResourceVersions("9", "10")).toBeLessThan(0);
    expect(compareResourceVersions("9007199254740993", "9007199254740992")).toBeGreaterThan(0);
    expect(compareResourceVersions("12", "12")).toBe(0);
  });

  it.each(["", "0", "01", "abc", "-1", "1.5"])("says nothing of %j", (version) => {
    expect(compareResourceVersions(version, "1")).toBeUndefined();
    expect(compareResourceVersions("1", version)).toBeUndefined();
  });
});
