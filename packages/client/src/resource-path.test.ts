import { ConfigMap, CustomResourceDefinition, Deployment } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import { collectionPath, objectPath, queryOf } from "./resource-path.ts";

describe("resource paths", () => {
  it("are of the core group, a named group, and a cluster-scoped kind", () => {
    expect(collectionPath(ConfigMap)).toBe("/api/v1/configmaps");
    expect(collectionPath(Deployment, "a")).toBe("/apis/apps/v1/namespaces/a/deployments");
    const name = "memcacheds.cache.example.com";
    const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    expect(objectPath(CustomResourceDefinition, { name })).toBe(`${definitions}/${name}`);
    expect(objectPath(Deployment, { namespace: "a", name: "b" }, "status")).toMatch(/\/b\/status$/);
  });

  it("keep a name's case and escape what a URL would take for its own", () => {
    expect(objectPath(ConfigMap, { namespace: "a", name: "System:x/y?z" })).toMatch(/\/System%3Ax%2Fy%3Fz$/);
  });

  it("need the namespace of a namespaced object", () => {
    expect(() => objectPath(ConfigMap, { name: "a" })).toThrow("its key must name a namespace");
  });

  it("hold those parameters that have a value", () => {
    expect(queryOf({ a: undefined, b: "", watch: true, labelSelector: "a in (b,c)" })).toBe(
      "?watch=true&labelSelector=a%20in%20(b%2Cc)",
    );
    expect(queryOf({})).toBe("");
  });
});
