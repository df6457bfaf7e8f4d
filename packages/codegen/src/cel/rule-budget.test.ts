import { k, type Schema } from "@trimtab/crd";
import { describe, expect, it } from "vitest";
import { overBudget } from "./rule-budget.ts";

function complaintsAbout(spec: Schema): readonly string[] {
  return overBudget({ type: "object", properties: { spec: spec.openapi } });
}
const unique = "self.all(h, self.exists_one(other, other.name == h.name))";

describe("overBudget", () => {
  it("names the list and the string that a rule goes through without a bound, and says what would do", () => {
    const hosts = k.list(k.object({ name: k.string(), note: k.string().optional() }));
    expect(complaintsAbout(k.object({ hosts: hosts.rule(unique, "names must differ") }))).toEqual([
      `the rule "${unique}" of spec.hosts may cost more than 100 times what the API server allows: ` +
        "give spec.hosts a maxItems and give spec.hosts[*].name a maxLength; 250 each is low enough",
    ]);
  });

  it("takes a rule whose list and strings are as short as it said", () => {
    const hosts = k.list(k.object({ name: k.string({ maxLength: 250 }) }), { maxItems: 250 });
    expect(complaintsAbout(k.object({ hosts: hosts.rule(unique, "names must differ") }))).toEqual([]);
  });

  it("names the map and the list around a rule that is checked for each of their values", () => {
    const tags = k.map(k.list(k.string({ maxLength: 50 }).rule("!self.contains('nobody expects this')", "no")));
    const [complaint] = complaintsAbout(k.object({ tags }));
    expect(complaint).toContain("of spec.tags[*][*] may cost 4.4 times what the API server allows");
    expect(complaint).toContain(
      "give spec.tags a maxProperties and give spec.tags[*] a maxItems; 250 each is low enough",
    );
  });

  it("says which bound is too high", () => {
    const text = k.string({ maxLength: 50_000 }).rule("!self.contains(self)", "no");
    expect(complaintsAbout(k.object({ text }))).toEqual([
      'the rule "!self.contains(self)" of spec.text may cost 40 times what the API server allows: ' +
        "lower the maxLength of spec.text; 5000 is low enough",
    ]);
  });

  it("has no bound to offer where the rule itself makes what is large", () => {
    const spec = k.object({ n: k.int32() }).rule("string(self.n) + 'x' != 'x'", "no");
    expect(complaintsAbout(spec)).toEqual([
      "the rule \"string(self.n) + 'x' != 'x'\" of spec may cost more than 100 times what the API server allows: simplify it",
    ]);
  });

  it("looks at what makes a message, too", () => {
    const spec = k.object({ n: k.int32() }).rule("self.n > 1", "no", { messageExpression: "'not ' + string(self.n)" });
    expect(complaintsAbout(spec)).toEqual([
      "the messageExpression \"'not ' + string(self.n)\" of spec may cost more than 100 times what the API server allows: " +
        "simplify it",
    ]);
  });

  it("adds up what all rules cost", () => {
    const dear = k.string({ maxLength: 6_000 }).rule("!self.contains(self)", "no");
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, place) => [`text${place}`, dear.optional()]));
    expect(complaintsAbout(k.object(many))).toEqual([
      expect.stringMatching(/^the rules together may cost 1\.2 times what the API server allows: lower the limits of /),
    ]);
  });

  it("knows the name of the resource itself, though no schema speaks of it", () => {
    const rules = [{ rule: "size(self.metadata.name) < 9 && self.kind == 'A'", message: "no" }];
    expect(overBudget({ type: "object", properties: {}, "x-kubernetes-validations": rules })).toEqual([]);
  });
});
