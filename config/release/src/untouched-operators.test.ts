import { describe, expect, it } from "vitest";
import { type Member, type PlannedRelease, untouchedOperators } from "./untouched-operators.ts";

const packages: readonly Member[] = [
  { name: "client", version: "1.0.0" },
  { name: "controller", version: "1.0.0", dependencies: { client: "workspace:*" } },
  { name: "finalizer", version: "1.0.0", dependencies: { client: "workspace:*" } },
  { name: "codegen", version: "1.0.0", dependencies: { controller: "workspace:*" } },
];
const a: Member = { name: "a-operator", version: "0.1.0", dependencies: { controller: "workspace:*" } };
const b: Member = { name: "b-operator", version: "0.4.0", dependencies: { finalizer: "workspace:*" } };
const operators = [a, b];

/** A plan in which changesets name some, and all others go along. */
function planOf(...named: readonly string[]): readonly PlannedRelease[] {
  return [...packages, ...operators].map(({ name }) => ({
    name,
    type: "patch",
    changesets: named.includes(name) ? ["a-changeset"] : [],
  }));
}

describe("Untouched operators", () => {
  it("are those that no changeset names", () => {
    expect(untouchedOperators(planOf("a-operator"), operators, packages)).toEqual([b]);
  });

  it("are none when what all of them bundle changes, however indirectly", () => {
    expect(untouchedOperators(planOf("client"), operators, packages)).toEqual([]);
  });

  it("are those that do not bundle what changes", () => {
    expect(untouchedOperators(planOf("finalizer"), operators, packages)).toEqual([a]);
  });

  it("are all when only a tool changes", () => {
    expect(untouchedOperators(planOf("codegen"), operators, packages)).toEqual(operators);
  });

  it("are none when none would be released", () => {
    const plan = planOf("client").map((each) =>
      each.name === "b-operator" ? { ...each, type: "none" as const } : each,
    );
    expect(untouchedOperators(plan, operators, packages)).toEqual([]);
  });
});
