import { describe, expect, it } from "vitest";
import { parseOptions } from "./options.ts";

describe("parseOptions", () => {
  it("takes operators as pnpm takes packages", () => {
    const { operators } = parseOptions(["--filter", "memcached-operator", "--filter=@trimtab/podset-operator"]);
    expect(operators).toEqual(["memcached-operator", "podset-operator"]);
  });

  it("refuses to guess which operator, and one tag for two", () => {
    expect(() => parseOptions([])).toThrow("which operator?");
    expect(() => parseOptions(["--filter=a", "--filter=b", "--tag=c:1"])).toThrow("--tag is for one operator");
  });
});
