import { describe, expect, it } from "vitest";
import { celName } from "./cel-name.ts";
import { k } from "./index.ts";

const rulesOf = (schema: { openapi: { readonly [keyword: string]: unknown } }) =>
  schema.openapi["x-kubernetes-validations"];

describe("FieldRules", () => {
  const choice = k.object({ "a-b": k.string().optional(), in: k.string().optional(), c: k.string().optional() });

  it("name fields as CEL does, and as people do", () => {
    expect(rulesOf(choice.atLeastOneOf("a-b", "in"))).toEqual([
      {
        rule: "[has(self.a__dash__b), has(self.__in__)].filter(isSet, isSet).size() >= 1",
        message: "at least one of a-b, in must be set",
      },
    ]);
  });

  it("add up", () => {
    const rules = rulesOf(choice.exactlyOneOf("in", "c").rule("true", "never").atMostOneOf("a-b", "c"));
    expect(rules).toMatchObject([
      { message: "exactly one of in, c must be set" },
      { message: "never" },
      { message: "at most one of a-b, c must be set" },
    ]);
  });

  it("compare a field that is always there, and ask of others whether they are there", () => {
    const schema = k.object({ always: k.int32(), usually: k.int32().default(1), "now-and-then": k.int32().optional() });
    expect(rulesOf(schema.immutable("always", "usually", "now-and-then"))).toEqual([
      { rule: "self.always == oldSelf.always", message: "always is immutable", fieldPath: ".always" },
      { rule: "self.usually == oldSelf.usually", message: "usually is immutable", fieldPath: ".usually" },
      {
        rule:
          "has(self.now__dash__and__dash__then) == has(oldSelf.now__dash__and__dash__then) && " +
          "(!has(self.now__dash__and__dash__then) || self.now__dash__and__dash__then == oldSelf.now__dash__and__dash__then)",
        message: "now-and-then is immutable",
        fieldPath: "['now-and-then']",
      },
    ]);
  });
});

describe("celName", () => {
  it.each([
    ["size", "size"],
    ["namespace", "__namespace__"],
    ["a-b.c/d", "a__dash__b__dot__c__slash__d"],
    ["a__b", "a__underscores__b"],
    ["a_b", "a_b"],
  ])("writes %s as %s", (field, name) => {
    expect(celName(field)).toBe(name);
  });
});
