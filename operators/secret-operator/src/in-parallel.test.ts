import { describe, expect, it } from "vitest";
import { inParallel } from "./in-parallel.ts";

describe("inParallel", () => {
  it("does all of it, so much at once, and the first alone", async () => {
    let underWay = 0;
    const seen: number[] = [];
    const results = await inParallel([1, 2, 3, 4, 5, 6], 2, async (item) => {
      underWay += 1;
      seen.push(underWay);
      await new Promise((resume) => setImmediate(resume));
      underWay -= 1;
      return item * 10;
    });
    expect(results.toSorted()).toEqual([10, 20, 30, 40, 50, 60]);
    expect(seen[0]).toBe(1);
    expect(seen[1]).toBe(1);
    expect(Math.max(...seen)).toBe(2);
  });

  it("begins nothing after a failure, and says what failed first", async () => {
    const begun: number[] = [];
    const failed = inParallel([1, 2, 3, 4, 5, 6], 2, async (item) => {
      begun.push(item);
      await new Promise((resume) => setImmediate(resume));
      if (item > 1) throw new Error(`no ${item}`);
    });
    await expect(failed).rejects.toMatchObject({
      cause: new Error("no 2"),
      errors: [new Error("no 2"), new Error("no 3")],
    });
    expect(begun).toEqual([1, 2, 3]);
  });

  it("does nothing of nothing", async () => {
    expect(await inParallel([], 2, async () => 1)).toEqual([]);
  });
});
