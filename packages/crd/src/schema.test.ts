import { describe, expect, it } from "vitest";
import { k } from "./index.ts";

describe("k", () => {
  it("lists the fields that must be written, and no others, as required", () => {
    const { openapi } = k.object({ a: k.string(), b: k.string().optional(), c: k.string().default("c") });
    expect(openapi["required"]).toEqual(["a"]);
  });

  it("leaves out an empty list of required fields, which no API server accepts", () => {
    expect(k.object({ a: k.string().optional() }).openapi).not.toHaveProperty("required");
  });

  it("collects rules in the order in which they were added", () => {
    const { openapi } = k.int32().rule("self > 1", "first").rule("self < 9", "second");
    expect(openapi["x-kubernetes-validations"]).toEqual([
      { rule: "self > 1", message: "first" },
      { rule: "self < 9", message: "second" },
    ]);
  });

  it("never changes a schema that it builds upon", () => {
    const port = k.int32({ minimum: 1 });
    port.describe("a port").rule("self != 22", "not ssh");
    port.default(80);
    expect(port.openapi).toEqual({ type: "integer", format: "int32", minimum: 1 });
  });

  it("refuses a choice that may be null, for the API server would never take the null", () => {
    expect(() => k.oneOf("on", "off").nullable()).toThrow("cannot be nullable, for the API server refuses null");
    expect(k.string().nullable().openapi).toEqual({ type: "string", nullable: true });
  });
});
