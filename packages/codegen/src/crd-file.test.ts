import { customResource, k } from "@trimtab/crd";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { crdFile, crdFiles } from "./index.ts";

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

describe("crdFile of rules that the API server would refuse", () => {
  it("is not written: it throws, naming the CRD, the version and the field", () => {
    const kettle = customResource({
      group: "kitchen.example.com",
      version: "v1",
      kind: "Kettle",
      spec: k.object({ note: k.string().rule("self.contains(self)", "no") }),
    });
    expect(() => crdFile(kettle)).toThrow(
      "kettles.kitchen.example.com cannot be as it is:\n" +
        'in v1, the rule "self.contains(self)" of spec.note may cost more than 100 times what the API server allows: ' +
        "give spec.note a maxLength; 5000 is low enough",
    );
  });
});

describe("crdFile of a schema that no etcd stores", () => {
  it("is not written", () => {
    const spec = k.object({ size: k.int32().describe("a long story ".repeat(100_000)) });
    const kettle = customResource({ group: "kitchen.example.com", version: "v1", kind: "Kettle", spec });
    expect(() => crdFile(kettle)).toThrow(
      /with 13\d{5} characters it may not fit into etcd: describe less, below 1000000$/,
    );
  });
});

describe("crdFiles", () => {
  const version = (version: string, options: { kind?: string; plural?: string; storage?: boolean } = {}) =>
    customResource({
      group: "kitchen.example.com",
      version,
      kind: "Kettle",
      spec: k.object({}),
      ...options,
    });

  it("puts the versions of a kind into one file, whatever modules they come from", () => {
    const files = crdFiles([version("v1alpha1"), version("v1", { kind: "Pan" }), version("v1", { storage: true })]);
    expect(files.map(({ name }) => name)).toEqual([
      "kitchen.example.com_kettles.yaml",
      "kitchen.example.com_pans.yaml",
    ]);
    expect(parse(files[0]?.text ?? "").spec.versions).toMatchObject([
      { name: "v1", storage: true },
      { name: "v1alpha1", storage: false },
    ]);
  });

  it("refuses versions of a kind that are not called the same", () => {
    expect(() => crdFiles([version("v1"), version("v2", { plural: "kettle" })])).toThrow(
      'versions of one CRD must have the same plural: it is "kettles" in kitchen.example.com/v1 Kettle ' +
        'and "kettle" in kitchen.example.com/v2 Kettle',
    );
  });

  it("refuses two kinds that would be one in the API server's paths", () => {
    expect(() => crdFiles([version("v1"), version("v1", { kind: "Kettl", plural: "kettles" })])).toThrow(
      'versions of one CRD must have the same kind: it is "Kettle" in kitchen.example.com/v1 Kettle',
    );
  });
});
