import { describe, expect, it } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

function lines(pieces: readonly Buffer[]): readonly string[] {
  const splitter = new LineSplitter();
  return pieces.flatMap((piece) => [...splitter.push(piece)]);
}

describe("LineSplitter", () => {
  it("puts lines together however they are cut, within characters too", () => {
    const bytes = Buffer.from("grüß\n\n🙂 dich\n");
    for (let first = 0; first <= bytes.length; first += 1)
      for (let second = first; second <= bytes.length; second += 1)
        expect(lines([bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)])).toEqual([
          "grüß",
          "",
          "🙂 dich",
        ]);
  });

  it("puts a line of many megabytes together", () => {
    const piece = Buffer.alloc(65_536, "x");
    const [line, ...others] = lines([...Array<Buffer>(160).fill(piece), Buffer.from("\n")]);
    expect(line).toHaveLength(160 * 65_536);
    expect(others).toEqual([]);
  });

  it("says whether it is within a line", () => {
    const splitter = new LineSplitter();
    expect([...splitter.push(Buffer.from("a\nb"))]).toEqual(["a"]);
    expect(splitter.isWithinLine).toBe(true);
    expect([...splitter.push(Buffer.from("\n"))]).toEqual(["b"]);
    expect(splitter.isWithinLine).toBe(false);
  });
});
