import { describe, expect, it } from "vitest";
import { compareVersions } from "./version-priority.ts";

describe("compareVersions", () => {
  it("orders versions as Kubernetes does", () => {
    const ordered = ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"];
    expect(ordered.toReversed().sort(compareVersions)).toEqual(ordered);
  });
});
