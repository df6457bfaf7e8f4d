import { describe, expect, it } from "vitest";
import { keptName } from "./base-image.ts";

describe("keptName", () => {
  it("is another one for other packages, another Containerfile, or another Node", () => {
    const made = ["FROM scratch", "libc6", "tzdata"];
    expect(keptName(made)).toBe(keptName([...made]));
    expect(keptName([...made, "libgcc-s1"])).not.toBe(keptName(made));
    expect(keptName(["FROM base", ...made.slice(1)])).not.toBe(keptName(made));
    expect(keptName(made)).toContain(process.version);
  });
});
