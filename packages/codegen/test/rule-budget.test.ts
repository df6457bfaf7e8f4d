import { type CustomResourceType, customResource, customResourceDefinition, k, type Schema } from "@trimtab/crd";
import { beforeAll, describe, expect, it } from "vitest";
import { crdFile } from "../src/index.ts";
import { complaintsOf } from "./kubectl.ts";

const no = "no";
const unique = "self.all(one, self.exists_one(other, other.name == one.name))";
const named = (maxLength?: number) => k.object({ name: k.string(maxLength === undefined ? {} : { maxLength }) });
const bytesOfText = (maxLength: number) => k.string({ maxLength }).rule("!self.contains(self)", no);

/** Rules near and far from what the API server allows; each is the spec of a kind, or a field of it. */
const schemas: readonly (readonly [name: string, schema: Schema])[] = [
  ["unbounded list compared with itself", k.list(named()).rule(unique, no)],
  ["unbounded names", k.list(named(), { maxItems: 100 }).rule(unique, no)],
  ["unbounded list of short names", k.list(named(10)).rule(unique, no)],
  ["bounded list", k.list(named(250), { maxItems: 250 }).rule(unique, no)],
  ["text just too long", bytesOfText(7_906)],
  ["text just short enough", bytesOfText(7_904)],
  ["unbounded map of rules", k.map(named(50).rule("self.name.matches('^[a-z]{1,50}$')", no))],
  ["bounded map of rules", k.map(named(50).rule("self.name.matches('^[a-z]{1,50}$')", no), { maxProperties: 99 })],
  ["keys of an unbounded map", k.map(k.string()).rule("self.all(key, key.matches('^[a-z]+$'))", no)],
  ["bytes", k.bytes().rule("self == oldSelf", no)],
  ["lists in lists", k.list(k.list(k.int32().rule("self > 0", no)))],
  ["lists in lists in maps", k.map(k.list(k.list(k.int32()).rule("self.all(n, n > 0)", no)))],
  ["texts in a list, each against all", k.list(k.string()).rule("self.all(text, text in self)", no)],
  ["a number as text", k.object({ n: k.int32() }).rule("string(self.n) + 'a' != 'a'", no)],
  [
    "a message of a number",
    k.object({ n: k.int32() }).rule("self.n > 1", no, { messageExpression: "'n' + string(self.n)" }),
  ],
  ["a message", k.object({ n: k.int32() }).rule("self.n > 1", no, { messageExpression: "string(self.n)" })],
  ["a choice of fields", k.object({ a: k.string().optional(), b: k.string().optional() }).exactlyOneOf("a", "b")],
  ["an immutable text", k.object({ a: k.string() }).immutable("a")],
  ["immutable texts in an unbounded list", k.listMap(k.object({ a: k.string(), b: k.string() }).immutable("b"), ["a"])],
  ["a quantity", k.object({ q: k.quantity() }).rule("quantity(self.q).isGreaterThan(quantity('1Mi'))", no)],
  ["a field that there is not", k.object({ a: k.int32() }).rule("self.b > 1", no)],
  ["the old items of a list", k.list(k.int32().rule("self >= oldSelf", no), { maxItems: 9 })],
  ["the old items of a set", k.set(k.int32().rule("self >= oldSelf", no), { maxItems: 9 })],
  ["the old values of a map", k.map(k.int32().rule("self >= oldSelf", no), { maxProperties: 9 })],
  ["the old fields of an atomic object", k.atomic(k.object({ a: k.int32().rule("self >= oldSelf", no) }))],
  ["an optional old value that is not asked for", k.int32().rule("self > 1", no, { optionalOldSelf: true })],
  ["any value", k.json().rule("self != null", no)],
  ["no expression", k.object({ a: k.int32() }).rule("self.a >", no)],
  [
    "what the server knows of any resource",
    k.embeddedResource().rule("self.kind != '' && has(self.metadata.name)", no),
  ],
  ["what the server does not show", k.embeddedResource().rule("has(self.metadata.labels)", no)],
  [
    "too much together",
    k.object(
      Object.fromEntries(
        ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"].map((name) => [name, bytesOfText(7_904).optional()]),
      ),
    ),
  ],
];

const kinds = schemas.map(([name, schema], place): { name: string; type: CustomResourceType } => ({
  name,
  type: customResource({
    group: "budget.example.com",
    version: "v1",
    kind: `Kind${place}`,
    spec: k.object({ field: schema }),
  }),
}));

function refusalOf(type: CustomResourceType): string | undefined {
  try {
    crdFile(type);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("whether the API server takes a CRD", () => {
  let complaints: string;

  beforeAll(() => {
    const items = kinds.map(({ type }) => customResourceDefinition(type));
    complaints = complaintsOf(["create", "--dry-run=server", "-f=-"], { apiVersion: "v1", kind: "List", items });
  });

  it.each(kinds)("is known before it is asked: $name", ({ type }) => {
    const isRefused = complaints.includes(`"${type.plural}.budget.example.com" is invalid`);
    expect(refusalOf(type)).toEqual(isRefused ? expect.stringContaining("cannot be as it is") : undefined);
  });

  it("depends on it: the examples are not all of one kind", () => {
    const refused = kinds.filter(({ type }) => refusalOf(type) !== undefined);
    expect([refused.length, kinds.length - refused.length].every((count) => count > 5)).toBe(true);
  });
});
