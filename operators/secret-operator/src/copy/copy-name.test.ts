import { describe, expect, it } from "vitest";
import { copyName } from "./copy-name.ts";

describe("copyName", () => {
  it("is the tutorial's for an ordinary name", () => {
    expect(copyName({ namespace: "default", name: "multisecret-sample" })).toBe("multisecret-sample.default.multisec");
  });

  it("tells apart what reads the same with its dots", () => {
    expect(copyName({ namespace: "c", name: "a.b" })).toMatch(/^a\.b\.c\.multisec-[0-9a-f]{16}$/);
    expect(copyName({ namespace: "c", name: "a.b" })).not.toBe(copyName({ namespace: "b.c", name: "a" }));
  });

  it("is no longer than a name may be, and still tells long names apart", () => {
    const [a, b] = ["a", "b"].map((end) => copyName({ namespace: "home", name: "n".repeat(252) + end }));
    expect(a).toHaveLength(253);
    expect(a).not.toBe(b);
    expect(copyName({ namespace: "home", name: "n".repeat(239) })).toBe(`${"n".repeat(239)}.home.multisec`);
  });

  it("is a legal name, however it was cut", () => {
    for (let length = 230; length <= 253; length += 1) {
      const name = copyName({ namespace: "x-y", name: "a.".repeat(127).slice(0, length).replace(/\.$/, "a") });
      expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
    }
  });
});
