import { describe, expect, it } from "vitest";
import { type Duration, milliseconds } from "./duration.ts";

describe("milliseconds", () => {
  it.each<[Duration, number]>([
    ["0s", 0],
    ["500ms", 500],
    ["30s", 30_000],
    ["1.5h", 5_400_000],
    ["1h30m", 5_400_000],
    ["2m5s", 125_000],
  ])("reads %s", (duration, expected) => {
    expect(milliseconds(duration)).toBe(expected);
  });

  it.each(["", "5", "s", "5 s", "-5s", "5d", "1e3s"])("refuses %j", (text) => {
    expect(() => milliseconds(text as Duration)).toThrow(`not a duration: ${text}`);
  });
});
