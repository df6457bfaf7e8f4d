import { describe, expect, it } from "vitest";
import { truncate } from "./truncate.ts";

describe("truncate", () => {
  it("leaves alone what fits", () => {
    expect(truncate("né", 3)).toBe("né");
  });

  it("cuts between two characters, whatever they take", () => {
    for (const character of ["a", "é", "€", "😀"]) {
      const cut = truncate(character.repeat(1_000), 128);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(128);
      expect(Buffer.byteLength(cut)).toBeGreaterThan(128 - 4);
      expect(cut.slice(0, -1)).toBe(character.repeat((cut.length - 1) / character.length));
      expect(cut.endsWith("…")).toBe(true);
    }
  });
});
