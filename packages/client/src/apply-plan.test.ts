import type { FieldsV1, KubeObject } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import { planApply } from "./apply-plan.ts";
import { fieldSetOf, fieldsAnnotation } from "./field-set.ts";

const manager = "us";
const metadata = { name: "a", namespace: "default" };

/** Of which one field more is held, as something always is. */
function live(spec: object, owned: FieldsV1, operation: "Apply" | "Update" = "Apply"): KubeObject {
  const managedFields = [{ manager, operation, fieldsV1: { "f:spec": { "f:kept": {}, ...owned } } }] as const;
  const identity = { uid: "1", resourceVersion: "1", creationTimestamp: "", managedFields };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...metadata, ...identity },
    spec: { kept: 1, ...spec },
  } as KubeObject;
}

function plan(desired: object, object: KubeObject): string {
  return planApply({ metadata, spec: { kept: 1, ...desired } } as Parameters<typeof planApply>[0], object, manager);
}

describe("planApply", () => {
  it("sends nothing where each field is so already, and ours", () => {
    expect(plan({ image: "x" }, live({ image: "x", other: 1 }, { "f:image": {} }))).toBe("nothing");
  });

  it.each([
    ["another value", { image: "y" }, { "f:image": {} }],
    ["another owner", { image: "x" }, {}],
    ["another value and owner", { image: "y" }, {}],
  ])("applies a field that has %s", (_, spec, owned) => {
    expect(plan({ image: "x" }, live(spec, owned))).toBe("apply");
  });

  it("applies what no longer holds a field that was applied before", () => {
    expect(plan({ image: "x" }, live({ image: "x", tag: "1" }, { "f:image": {}, "f:tag": {} }))).toBe("apply");
  });

  it("applies an empty map that somebody else has filled", () => {
    expect(plan({ podSelector: {} }, live({ podSelector: { matchLabels: { a: "b" } } }, {}))).toBe("apply");
  });

  it.each([
    ["an empty text", { value: "" }],
    ["false", { hostNetwork: false }],
    ["zero", { minReadySeconds: 0 }],
    ["an empty map", { nodeSelector: {} }],
    ["an empty list", { env: [] }],
  ])("sends nothing for %s, which the API server drops", (_, desired) => {
    expect(plan(desired, live({ defaulted: 1 }, { "f:defaulted": {} }, "Update"))).toBe("nothing");
    const applied = Object.fromEntries(Object.keys(desired).map((name) => [`f:${name}`, {}]));
    expect(plan(desired, live({ theirs: 1 }, applied))).toBe("nothing");
  });

  it("applies something empty that was applied before, and was taken away", () => {
    expect(plan({ emptyDir: {} }, live({}, {}))).toBe("apply");
  });

  it("applies something empty that it created, and has something else in its place", () => {
    expect(plan({ emptyDir: {} }, live({ hostPath: { path: "/" } }, {}, "Update"))).toBe("apply");
  });

  it("applies false where it is true", () => {
    expect(plan({ hostNetwork: false }, live({ hostNetwork: true }, {}))).toBe("apply");
  });

  it("leaves the API server its defaults within a field that is owned as a whole", () => {
    const object = live({ fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } }, { "f:fieldRef": {} });
    expect(plan({ fieldRef: { fieldPath: "metadata.name" } }, object)).toBe("nothing");
    expect(plan({ fieldRef: { fieldPath: "metadata.uid" } }, object)).toBe("apply");
  });

  it("takes two spellings of a quantity for one, and of a text for two", () => {
    const owned = { "f:limits": { "f:cpu": {} }, "f:tag": {} };
    const object = live({ limits: { cpu: "1" }, tag: "1" }, owned);
    expect(plan({ limits: { cpu: "1000m" }, tag: "1" }, object)).toBe("nothing");
    expect(plan({ limits: { cpu: "1" }, tag: "1.0" }, object)).toBe("apply");
  });

  it("adopts what a create owns once another set of fields is desired, and not before", () => {
    const created = (fields: object): KubeObject => {
      const managedFields = [
        { manager, operation: "Update", fieldsV1: { "f:spec": { "f:image": {}, "f:default": {} } } },
      ];
      const annotations = { [fieldsAnnotation]: fieldSetOf(fields) };
      const identity = { uid: "1", resourceVersion: "1", creationTimestamp: "", managedFields, annotations };
      return {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { ...metadata, ...identity },
        spec: { image: "x", default: 1 },
      } as KubeObject;
    };
    const desired = {
      metadata: { ...metadata, annotations: { [fieldsAnnotation]: fieldSetOf({ image: "x" }) } },
      spec: { image: "x" },
    };
    const ask = (object: KubeObject): string => planApply(desired as Parameters<typeof planApply>[0], object, manager);
    expect(ask(created({ image: "x" }))).toBe("apply");
    expect(ask(created({ image: "x", tag: "1" }))).toBe("adopt");
  });
});

describe("fieldSetOf", () => {
  it("tells names apart, however they are cut", () => {
    expect(fieldSetOf({ a: "1", bc: "2" })).not.toBe(fieldSetOf({ ab: "1", c: "2" }));
    expect(fieldSetOf({ a: { b: 1 } })).not.toBe(fieldSetOf({ a: 1, b: 1 }));
  });

  it("does not depend on values, nor on the order of fields", () => {
    expect(fieldSetOf({ a: 1, b: 2 })).toBe(fieldSetOf({ b: 3, a: 4 }));
  });
});
