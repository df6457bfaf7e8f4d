import { describe, expect, it } from "vitest";
import { badLines } from "./bad-lines.ts";

describe("badLines", () => {
  it("are warnings, errors, and what is not a line of the log", () => {
    const bad = ['{"level":"warn","msg":"a"}', '{"level":"error","err":{"reason":"Forbidden"}}', "FATAL ERROR: heap"];
    expect(badLines(['{"level":"info","msg":"forbidden fruit"}', ...bad, ""])).toEqual(bad);
  });

  it("are none where the API server only asks for patience", () => {
    expect(badLines(['{"level":"error","err":{"reason":"TooManyRequests"}}'])).toEqual([]);
  });
});
