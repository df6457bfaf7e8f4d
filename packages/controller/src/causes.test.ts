import { describe, expect, it } from "vitest";
import { causesOf } from "./causes.ts";

describe("causesOf", () => {
  it("gives an error and what caused it, from the outside in", () => {
    const inner = new Error("inner");
    const outer = new Error("outer", { cause: inner });
    expect([...causesOf(outer)]).toEqual([outer, inner]);
    expect([...causesOf("no error")]).toEqual([]);
  });

  it("ends where an error is its own cause", () => {
    const error = new Error("a");
    error.cause = new Error("b", { cause: error });
    expect(causesOf(error).size).toBe(2);
  });
});
