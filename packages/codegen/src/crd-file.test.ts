import { customResource, k } from "@trimtab/crd";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { crdFile } from "./index.ts";

const make = () =>
  customResource({
    group: "kitchen.example.com",
    version: "v1",
    kind: "Kettle",
    spec: k.object({
      power: k.oneOf("on", "off").default("off"),
      note: k.string().describe(`${"long ".repeat(60)}end`),
    }),
    status: k.object({}),
  });

describe("crdFile", () => {
  it("is named by group and plural, and says at its head that nobody should edit it", () => {
    const { name, text } = crdFile(make());
    expect(name).toBe("kitchen.example.com_kettles.yaml");
    expect(text).toMatch(/^# Generated .* do not edit\.\n---\n/);
  });

  it("gives the same bytes for the same type", () => {
    expect(crdFile(make()).text).toBe(crdFile(make()).text);
  });

  it("quotes what YAML would read as something else, and folds no line", () => {
    const { text } = crdFile(make());
    const properties = parse(text).spec.versions[0].schema.openAPIV3Schema.properties.spec.properties;
    expect(properties.power).toMatchObject({ enum: ["on", "off"], default: "off" });
    expect(text).toContain(`description: ${"long ".repeat(60)}end`);
  });
});
