import { describe, expect, it } from "vitest";
import type { Role } from "./role.ts";
import { rightName, rightsOfRoles, withoutRight } from "./role-right.ts";

const role: Role = {
  kind: "Role",
  metadata: { name: "cook" },
  rules: [
    { apiGroups: ["", "apps"], resources: ["pans", "pans/status"], verbs: ["get", "patch"] },
    { apiGroups: [""], resources: ["pans"], resourceNames: ["one"], verbs: ["get", "delete"] },
  ],
};

describe("rightsOfRoles", () => {
  it("lists each verb on each resource of each group once", () => {
    expect(rightsOfRoles([role, role]).map(rightName)).toEqual([
      "get pans",
      "patch pans",
      "get pans/status",
      "patch pans/status",
      "get pans.apps",
      "patch pans.apps",
      "get pans.apps/status",
      "patch pans.apps/status",
      "delete pans",
    ]);
  });
});

describe("withoutRight", () => {
  it.each(rightsOfRoles([role]))("takes away $verb $resource of group $group, and nothing else", (right) => {
    const all = rightsOfRoles([role]).map(rightName);
    const left = rightsOfRoles(withoutRight([role], right)).map(rightName);
    expect(left.toSorted()).toEqual(all.filter((name) => name !== rightName(right)).toSorted());
  });

  it("keeps to the objects that a rule names", () => {
    const [lesser] = withoutRight([role], { group: "", resource: "pans", verb: "get" });
    expect(lesser?.rules.at(-1)).toEqual({
      apiGroups: [""],
      resources: ["pans"],
      resourceNames: ["one"],
      verbs: ["delete"],
    });
  });
});
