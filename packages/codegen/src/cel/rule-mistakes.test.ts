import { k, type Schema } from "@trimtab/crd";
import { describe, expect, it } from "vitest";
import { ruleMistakes } from "./rule-mistakes.ts";

function mistakesIn(spec: Schema): readonly string[] {
  return ruleMistakes({ type: "object", properties: { spec: spec.openapi } });
}
const no = "no";

describe("ruleMistakes", () => {
  it("names a field that a rule reads and that there is not, and the place of the rule", () => {
    const nested = k.object({ at: k.object({ depth: k.int32() }).rule("self.dept < 5", no) });
    expect(mistakesIn(nested)).toEqual(['the rule "self.dept < 5" of spec.at is wrong: there is no field dept']);
  });

  it("looks at what makes a message, too", () => {
    const spec = k.object({ n: k.int32() }).rule("self.n > 1", no, { messageExpression: "'n is ' + self.m" });
    expect(mistakesIn(spec)).toEqual(["the rule \"'n is ' + self.m\" of spec is wrong: there is no field m"]);
  });

  it("says how an item may be compared with what it was", () => {
    const item = k.object({ name: k.string({ maxLength: 9 }), size: k.int32() }).immutable("size");
    expect(mistakesIn(k.object({ items: k.list(item) }))).toEqual([
      'the rule "self.size == oldSelf.size" of spec.items[*] is wrong: nobody knows the oldSelf of an item of spec.items: ' +
        "make that a listMap, or say the rule of the list itself",
    ]);
    expect(mistakesIn(k.object({ items: k.listMap(item, ["name"]) }))).toEqual([]);
  });

  it("finds an option without effect, and a value that CEL does not see", () => {
    const field = k.int32().rule("self > 1", no, { optionalOldSelf: true });
    expect(mistakesIn(k.object({ field, any: k.json().rule("self != null", no) }))).toEqual([
      'the rule "self > 1" of spec.field is wrong: optionalOldSelf is of use only if it mentions oldSelf',
      'the rule "self != null" of spec.any is wrong: CEL sees no value of which the schema does not say the type',
    ]);
  });
});
