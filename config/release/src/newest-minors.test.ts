import { describe, expect, it } from "vitest";
import { newestMinors } from "./newest-minors.ts";

describe("The newest minors", () => {
  it("are each named by their newest patch, newest first, by number and not by letter", () => {
    const versions = ["v1.9.8", "v1.35.2", "v1.36.9", "v1.36.10", "v1.37.0", "v1.37.1", "v1.100.0"];
    expect(newestMinors(versions, 3)).toEqual(["v1.100.0", "v1.37.1", "v1.36.10"]);
  });

  it("are no previews", () => {
    expect(newestMinors(["v1.38.0-rc.1", "v1.37.1"], 3)).toEqual(["v1.37.1"]);
  });
});
