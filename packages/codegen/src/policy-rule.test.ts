import { describe, expect, it } from "vitest";
import type { Grant } from "./grant.ts";
import { policyRules } from "./policy-rule.ts";

/** Of words such as `get deployments.apps/status`. */
function grants(...words: readonly string[]): readonly Grant[] {
  return words.map((word) => {
    const [verb, object = ""] = word.split(" ");
    const [kind = "", subresource] = object.split("/");
    const [resource = "", ...group] = kind.split(".");
    return {
      verb: verb as Grant["verb"],
      group: group.join("."),
      resource,
      scope: "Namespaced",
      ...(subresource !== undefined && { subresource }),
    };
  });
}

describe("policyRules", () => {
  it("makes one rule of all verbs of a resource, none of them twice", () => {
    expect(policyRules(grants("watch pods", "list pods", "watch pods"))).toEqual([
      { apiGroups: [""], resources: ["pods"], verbs: ["list", "watch"] },
    ]);
  });

  it("makes one rule of resources of a group that have the same verbs", () => {
    expect(policyRules(grants("get b.x.io", "list b.x.io", "list a.x.io", "get a.x.io", "get c.x.io"))).toEqual([
      { apiGroups: ["x.io"], resources: ["a", "b"], verbs: ["get", "list"] },
      { apiGroups: ["x.io"], resources: ["c"], verbs: ["get"] },
    ]);
  });

  it("keeps groups, subresources and named objects apart", () => {
    const named = grants("get widgets.x.io").map((grant) => ({ ...grant, resourceNames: ["one"] }));
    const all = grants("get widgets", "get widgets.x.io", "update widgets.x.io/status");
    expect(policyRules([...named, ...all])).toEqual([
      { apiGroups: [""], resources: ["widgets"], verbs: ["get"] },
      { apiGroups: ["x.io"], resources: ["widgets"], resourceNames: ["one"], verbs: ["get"] },
      { apiGroups: ["x.io"], resources: ["widgets"], verbs: ["get"] },
      { apiGroups: ["x.io"], resources: ["widgets/status"], verbs: ["update"] },
    ]);
  });

  it("comes out the same in whatever order it is asked", () => {
    const asked = grants("get z.x.io", "list a", "get a", "create events.events.k8s.io", "list z.x.io");
    expect(JSON.stringify(policyRules(asked.toReversed()))).toBe(JSON.stringify(policyRules(asked)));
  });
});
