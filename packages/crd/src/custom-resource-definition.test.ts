import { describe, expect, it } from "vitest";
import { conditions, customResource, customResourceDefinition, k, nameAtMost } from "./index.ts";

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
});
