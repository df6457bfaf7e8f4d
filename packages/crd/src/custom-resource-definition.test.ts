import { describe, expect, it } from "vitest";
import {
  type CustomResourceType,
  conditions,
  customResource,
  customResourceDefinition,
  k,
  nameAtMost,
} from "./index.ts";

const status = k.object({ nodes: k.list(k.string()), conditions: conditions("Ready") });

function manifest(options: Partial<Parameters<typeof customResource>[0]> = {}) {
  const type = customResource({
    group: "kitchen.example.com",
    version: "v1",
    kind: "Kettle",
    spec: k.object({ litres: k.int32() }),
    status,
    ...options,
  });
  const crd = customResourceDefinition(type);
  const [version] = crd.spec.versions;
  return { crd, version, root: version?.schema?.openAPIV3Schema as Record<string, unknown> };
}

describe("customResourceDefinition", () => {
  it("is named by plural and group, and serves and stores its one version", () => {
    const { crd, version } = manifest();
    expect(crd.metadata.name).toBe("kettles.kitchen.example.com");
    expect(crd.spec.names).toEqual({ kind: "Kettle", listKind: "KettleList", plural: "kettles", singular: "kettle" });
    expect(version).toMatchObject({ name: "v1", served: true, storage: true, subresources: { status: {} } });
  });

  it("asks for a spec, unless the whole spec has a default", () => {
    expect(manifest().root["required"]).toEqual(["spec"]);
    const { root } = manifest({ spec: k.object({ litres: k.int32().default(1) }).default({}) });
    expect(root["required"]).toBeUndefined();
    expect(root["properties"]).toMatchObject({ spec: { default: {} } });
  });

  it("has a scale subresource only where the type has one", () => {
    expect(manifest().version?.subresources).toEqual({ status: {} });
    const scale = { specReplicasPath: ".spec.litres", statusReplicasPath: ".status.litres" };
    expect(manifest({ scale }).version?.subresources).toEqual({ status: {}, scale });
  });

  it("puts rules about the whole object at the schema's root", () => {
    expect(manifest({ rules: [nameAtMost(63, "it is a label")] }).root["x-kubernetes-validations"]).toEqual([
      {
        rule: "size(self.metadata.name) <= 63",
        message: "metadata.name must have at most 63 characters: it is a label",
      },
    ]);
  });

  it("says nothing where its author said nothing", () => {
    expect(JSON.stringify(manifest().crd)).not.toMatch(/undefined|null|shortNames|categories|additionalPrinterColumns/);
  });

  it("has no status subresource, nor a status, where the kind has none", () => {
    const { spec } = customResourceDefinition(kettle({}));
    expect(spec.versions[0]).not.toHaveProperty("subresources");
    expect(JSON.stringify(spec)).not.toContain("status");
  });
});

function kettle(options: Partial<Parameters<typeof customResource>[0]>): CustomResourceType {
  const spec = k.object({ litres: k.int32() });
  return customResource({ group: "kitchen.example.com", version: "v1", kind: "Kettle", spec, ...options });
}

describe("customResourceDefinition of several versions", () => {
  const stored = kettle({ storage: true });

  it("is the same in whatever order they are given, the most stable and newest first", () => {
    const others = ["v1beta1", "v2alpha1", "v1beta2"].map((version) => kettle({ version }));
    const crd = customResourceDefinition(stored, ...others);
    expect(crd.spec.versions.map(({ name, storage }) => [name, storage])).toEqual([
      ["v1", true],
      ["v1beta2", false],
      ["v1beta1", false],
      ["v2alpha1", false],
    ]);
    const [first = stored, ...rest] = others.toReversed();
    expect(JSON.stringify(customResourceDefinition(first, ...rest, stored))).toBe(JSON.stringify(crd));
  });

  it.each([
    ["group", { group: "cellar.example.com" }, '"kitchen.example.com"', '"cellar.example.com"'],
    ["kind", { kind: "Kettl", plural: "kettles", singular: "kettle", listKind: "KettleList" }, '"Kettle"', '"Kettl"'],
    ["plural", { plural: "kettle" }, '"kettles"', '"kettle"'],
    ["scope", { scope: "Cluster" }, '"Namespaced"', '"Cluster"'],
    ["shortNames", { shortNames: ["kt"] }, "[]", '["kt"]'],
  ] as const)("must have the same %s, or both are named", (property, options, one, other) => {
    const odd = kettle({ version: "v2", ...options });
    expect(() => customResourceDefinition(stored, odd)).toThrow(
      `versions of one CRD must have the same ${property}: ` +
        `it is ${one} in kitchen.example.com/v1 Kettle and ${other} in ${odd.group}/v2 ${odd.kind}`,
    );
  });

  it("must differ in their names", () => {
    expect(() => customResourceDefinition(stored, kettle({}))).toThrow(
      "there are two definitions of kitchen.example.com/v1 Kettle: leave one of them out",
    );
  });

  it("must have one that is stored, unless there is but one", () => {
    expect(() => customResourceDefinition(kettle({}), kettle({ version: "v2" }))).toThrow(
      "objects must be stored in one version: say storage: true of one of " +
        "kitchen.example.com/v1 Kettle, kitchen.example.com/v2 Kettle",
    );
    expect(() => customResourceDefinition(stored, kettle({ version: "v2", storage: true }))).toThrow(
      "objects are stored in one version, yet both kitchen.example.com/v1 Kettle and kitchen.example.com/v2 Kettle " +
        "say storage: true",
    );
    expect(() => customResourceDefinition(kettle({ storage: false }))).toThrow("objects must be stored in one version");
  });

  it("says which are not served, and which are deprecated", () => {
    const { versions } = customResourceDefinition(
      stored,
      kettle({ version: "v1beta1", deprecated: "use v1" }),
      kettle({ version: "v1alpha2", deprecated: true }),
      kettle({ version: "v1alpha1", served: false, deprecated: false }),
    ).spec;
    expect(versions.map(({ schema: _, ...version }) => version)).toEqual([
      { name: "v1", served: true, storage: true },
      { name: "v1beta1", served: true, storage: false, deprecated: true, deprecationWarning: "use v1" },
      { name: "v1alpha2", served: true, storage: false, deprecated: true },
      { name: "v1alpha1", served: false, storage: false },
    ]);
  });
});
