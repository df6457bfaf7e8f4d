import { describe, expect, it } from "vitest";
import { pendingOperators, pendingPackages } from "./pending-release.ts";

describe("Pending releases", () => {
  const operators = [
    { name: "@trimtab/memcached-operator", version: "0.2.0" },
    { name: "@trimtab/podset-operator", version: "0.1.0" },
  ];

  it("are the operators whose version has no tag, and only those", () => {
    const tags = new Set(["memcached-operator-v0.1.0", "podset-operator-v0.1.0", "v0.2.0"]);
    expect(pendingOperators(operators, tags)).toEqual([
      { name: "memcached-operator", version: "0.2.0", tag: "memcached-operator-v0.2.0" },
    ]);
  });

  it("are the packages once for all of them", () => {
    const packages = [
      { name: "@trimtab/client", version: "1.2.0" },
      { name: "@trimtab/crd", version: "1.2.0" },
    ];
    expect(pendingPackages(packages, new Set(["v1.1.0"]))).toEqual([
      { name: "packages", version: "1.2.0", tag: "v1.2.0" },
    ]);
    expect(pendingPackages(packages, new Set(["v1.2.0"]))).toEqual([]);
  });

  it("are refused if packages have gone apart", () => {
    const packages = [
      { name: "@trimtab/client", version: "1.2.0" },
      { name: "@trimtab/crd", version: "1.2.1" },
    ];
    expect(() => pendingPackages(packages, new Set())).toThrow("1.2.0, 1.2.1");
  });

  it("are no packages that have never had a version", () => {
    expect(pendingPackages([{ name: "@trimtab/client", version: "0.0.0" }], new Set())).toEqual([]);
  });
});
