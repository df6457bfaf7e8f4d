import { type CustomResourceType, conditions, customResource, k } from "@trimtab/crd";
import { describe, expect, it } from "vitest";
import { pathMistakes } from "./path-mistakes.ts";

function kettle(options: Partial<Parameters<typeof customResource>[0]>): CustomResourceType {
  return customResource({
    group: "kitchen.example.com",
    version: "v1",
    kind: "Kettle",
    spec: k.object({ litres: k.int32(), colours: k.list(k.string()), labels: k.map(k.string()), any: k.opaque() }),
    status: k.object({ litres: k.int32(), selector: k.string(), conditions: conditions("Hot") }),
    ...options,
  });
}
const column = (jsonPath: string) => kettle({ printerColumns: [{ name: "It", type: "string", jsonPath }] });

describe("pathMistakes", () => {
  it.each([
    ".spec.litres",
    ".spec.colours",
    ".spec.colours[0]",
    ".spec.labels.x",
    ".spec.labels['a.b/c']",
    ".spec.labels.a\\.b",
    ".spec..litres",
    ".spec.any.thing[2].goes",
    '.status.conditions[?(@.type=="Hot")].status',
    ".metadata.creationTimestamp",
    ".kind",
  ])("knows where %s leads", (jsonPath) => {
    expect(pathMistakes(column(jsonPath))).toEqual([]);
  });

  it.each([
    [".spec.liters", "there is no field liters"],
    [".litres", "there is no field litres"],
    [".spec.litres[0]", ".spec.litres is no list"],
    [".spec.colours.first", "there is no field first"],
    ["spec.litres", "a path begins with a dot and a name"],
  ])("says why the column of %s would stay empty: %s", (jsonPath, because) => {
    expect(pathMistakes(column(jsonPath))).toEqual([`the column It reads ${jsonPath}: ${because}`]);
  });

  it("wants numbers for scaling, and what can be selected for selection", () => {
    const scale = {
      specReplicasPath: ".spec.labels",
      statusReplicasPath: ".status.cups",
      labelSelectorPath: ".status",
    };
    expect(pathMistakes(kettle({ scale, selectableFields: [".spec.colours", ".spec.litres"] }))).toEqual([
      "field selection reads .spec.colours: that is of type array, not string or boolean or integer",
      "the scale subresource reads .spec.labels: that is of type object, not integer",
      "the scale subresource reads .status.cups: there is no field cups",
      "the scale subresource reads .status: that is of type object, not string",
    ]);
  });
});
