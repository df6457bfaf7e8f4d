import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { conditions, customResource, customResourceDefinition, k } from "./index.ts";

const kettle = { group: "kitchen.example.com", kind: "Kettle", shortNames: ["kt"] } as const;

const KettleV1Beta1 = customResource({
  ...kettle,
  version: "v1beta1",
  deprecated: "kitchen.example.com/v1beta1 Kettle goes away: use v1",
  spec: k.object({ litres: k.int32({ minimum: 1 }) }),
});

const KettleV1 = customResource({
  ...kettle,
  version: "v1",
  storage: true,
  spec: k
    .object({
      litres: k.int32({ minimum: 1, maximum: 10 }).describe("How much water it holds."),
      mode: k.oneOf("Boil", "Warm").default("Boil"),
      degrees: k.int32().optional(),
      steps: k.int32().optional(),
      teas: k.set(k.string({ maxLength: 20 }), { maxItems: 50 }).optional(),
    })
    .immutable("litres")
    .atMostOneOf("degrees", "steps")
    .rule("self.mode == 'Boil' || has(self.degrees)", "a kettle that keeps warm must know how warm"),
  status: k.object({ conditions: conditions("Ready") }),
  selectableFields: [".spec.mode"],
});

const manifest = customResourceDefinition(KettleV1, KettleV1Beta1);

describe("README.md", () => {
  it("shows what compiles, and makes a CRD", () => {
    const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
    const [, example = "missing"] = /^```ts\nimport [^\n]+ from "@trimtab\/crd";\n([\s\S]+?)```$/m.exec(readme) ?? [];
    expect(readFileSync(import.meta.filename, "utf8")).toContain(example);
    expect(manifest.spec.versions.map(({ name }) => name)).toEqual(["v1", "v1beta1"]);
  });
});
