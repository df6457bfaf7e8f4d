import { conditions, customResource, customResourceDefinition, k, nameAtMost, type WrittenOf } from "@trimtab/crd";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaintsOf, kubectl } from "./kubectl.ts";

const spec = k.object({
  text: k.string({ minLength: 1, maxLength: 5, pattern: "^[a-z]+$" }).optional(),
  size: k.int32({ minimum: 1, maximum: 10 }).default(3),
  big: k.int64().optional(),
  on: k.boolean().default(false),
  level: k.oneOf("low", "high").optional(),
  port: k.intOrString().optional(),
  at: k.time().optional(),
  data: k.map(k.bytes()).optional(),
  words: k.list(k.string(), { maxItems: 2 }).optional(),
  tags: k.set(k.string()).optional(),
  ports: k.listMap(k.object({ name: k.string(), number: k.int32().default(80) }), ["name"]).optional(),
  template: k.opaque<object>().optional(),
  nested: k.object({ depth: k.int32().default(1).rule("self < 5", "must not be deep") }).default({}),
  selector: k.labelSelector().optional().describe("Which things count."),
});

const Everything = customResource({
  group: "crd.example.com",
  version: "v1",
  kind: "Everything",
  plural: "everythings",
  description: "Every word of the vocabulary.",
  shortNames: ["evt"],
  categories: ["all"],
  spec: spec.default({}),
  status: k.object({
    replicas: k.int32().optional(),
    selector: k.string().optional(),
    conditions: conditions("Ready"),
  }),
  rules: [nameAtMost(10, "it is short")],
  scale: {
    specReplicasPath: ".spec.size",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.selector",
  },
  printerColumns: [
    { name: "Size", type: "integer", jsonPath: ".spec.size" },
    { name: "Level", type: "string", jsonPath: ".spec.level", priority: 1, description: "How high it is." },
  ],
});

const creation = ["create", "--validate=false", "-o=json", "-f=-"];

function create(name: string, written?: unknown): string {
  return kubectl(creation, everythingCalled(name, written));
}

function everythingCalled(name: string, written: unknown): object {
  return {
    apiVersion: "crd.example.com/v1",
    kind: "Everything",
    metadata: { name },
    ...(written !== undefined && { spec: written }),
  };
}

beforeAll(() => {
  kubectl(["create", "-f=-"], customResourceDefinition(Everything));
  kubectl(["wait", "--for=condition=Established", "crd/everythings.crd.example.com"]);
});
afterAll(() => {
  kubectl(["delete", "crd", "everythings.crd.example.com"]);
});

describe("a CRD of every word", () => {
  it("is structural", () => {
    const { status } = JSON.parse(kubectl(["get", "crd", "everythings.crd.example.com", "-o=json"]));
    expect(status.conditions.map((condition: { type: string }) => condition.type).sort()).toEqual([
      "Established",
      "NamesAccepted",
    ]);
  });

  it("fills in defaults, those of a spec that was left out too", () => {
    expect(JSON.parse(create("empty")).spec).toEqual({ size: 3, on: false, nested: { depth: 1 } });
  });

  it("keeps what a user wrote", () => {
    const written: WrittenOf<typeof spec> = {
      text: "abc",
      size: 5,
      big: 9_007_199_254_740_991,
      on: true,
      level: "high",
      port: "25%",
      at: "2026-01-01T00:00:00Z",
      data: { key: "AAEC" },
      words: ["a", "a"],
      tags: ["a", "b"],
      ports: [{ name: "http", number: 8080 }],
      template: { any: { thing: [1] } },
      nested: { depth: 2 },
      selector: { matchLabels: { a: "b" }, matchExpressions: [{ key: "c", operator: "In", values: ["d"] }] },
    };
    expect(JSON.parse(create("full", written)).spec).toEqual(written);
  });

  it.each([
    ["spec.text", { text: "" }, "at least 1 char"],
    ["spec.text", { text: "abcdef" }, "may not be more than 5"],
    ["spec.text", { text: "ABC" }, "should match '^[a-z]+$'"],
    ["spec.size", { size: 0 }, "greater than or equal to 1"],
    ["spec.size", { size: 11 }, "less than or equal to 10"],
    ["spec.size", { size: "3" }, "must be of type integer"],
    ["spec.size", { size: 2 ** 31 }, "less than or equal to 2147483647"],
    ["spec.level", { level: "middle" }, 'supported values: "low", "high"'],
    ["spec.at", { at: "yesterday" }, "date-time"],
    ["spec.data.key", { data: { key: "not base64!" } }, "byte"],
    ["spec.words", { words: ["a", "b", "c"] }, "must have at most 2 items"],
    ["spec.tags[1]", { tags: ["a", "a"] }, "Duplicate value"],
    ["spec.ports[1]", { ports: [{ name: "a" }, { name: "a" }] }, "Duplicate value"],
    ["spec.ports[0].name", { ports: [{}] }, "Required value"],
    ["spec.nested.depth", { nested: { depth: 5 } }, "must not be deep"],
    [
      "spec.selector.matchExpressions[0]",
      { selector: { matchExpressions: [{ key: "a", operator: "In" }] } },
      "values must be given",
    ],
    [
      "spec.selector.matchExpressions[0]",
      { selector: { matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] } },
      "for no other",
    ],
  ])("names %s when it refuses %j", (field, written, message) => {
    const said = complaintsOf(creation, everythingCalled("refused", written)).split("\n");
    expect(said.filter((line) => line.includes(field) && line.includes(message))).toHaveLength(1);
  });

  it("refuses a name that is too long, and says why", () => {
    expect(() => create("more-than-ten")).toThrow("metadata.name must have at most 10 characters: it is short");
  });

  it("has the scale subresource, short name, category and columns that its author gave it", () => {
    create("scaled", { size: 4 });
    kubectl(["scale", "everything/scaled", "--replicas=6"]);
    const [header = "", row = ""] = kubectl(["get", "evt", "scaled", "-o=wide"]).split("\n");
    expect(header.split(/\s+/)).toEqual(["NAME", "SIZE", "LEVEL"]);
    expect(row.trim().split(/\s+/)).toEqual(["scaled", "6"]);
    expect(kubectl(["get", "evt", "scaled"])).not.toContain("LEVEL");
    expect(kubectl(["get", "all"])).toContain("everything.crd.example.com/scaled");
  });

  it("explains itself", () => {
    expect(kubectl(["explain", "everythings"])).toContain("Every word of the vocabulary.");
    expect(kubectl(["explain", "everythings.spec.selector"])).toContain("Which things count.");
  });
});
