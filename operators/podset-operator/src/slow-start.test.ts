import { describe, expect, it } from "vitest";
import { slowStart } from "./slow-start.ts";

describe("slowStart", () => {
  it("runs batches of 1, 2, 4, …", async () => {
    const batches: number[][] = [];
    let open: number[] = [];
    const tasks = Array.from({ length: 9 }, (_, index) => async () => {
      if (open.length === 0) batches.push(open);
      open.push(index);
      await Promise.resolve();
      open = [];
      return index;
    });
    const { results, errors } = await slowStart(tasks);
    expect(batches).toEqual([[0], [1, 2], [3, 4, 5, 6], [7, 8]]);
    expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(errors).toEqual([]);
  });

  it("begins no batch after a failure, and keeps all of those that it met", async () => {
    const begun: number[] = [];
    const tasks = Array.from({ length: 10 }, (_, index) => async () => {
      begun.push(index);
      if (index === 1 || index === 2) throw new Error(`no ${index}`);
      return index;
    });
    const { results, errors } = await slowStart(tasks);
    expect(begun).toEqual([0, 1, 2]);
    expect(results).toEqual([0]);
    expect(errors).toEqual([new Error("no 1"), new Error("no 2")]);
  });
});
