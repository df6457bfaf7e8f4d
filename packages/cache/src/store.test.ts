import type { ConfigMap, OwnerReference } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import { configMap, versionsOf } from "../test/config-map.ts";
import { Store } from "./store.ts";

function ownedBy(uid: string): { ownerReferences: OwnerReference[] } {
  return { ownerReferences: [{ apiVersion: "v1", kind: "Owner", name: "owner", uid, controller: true }] };
}

describe("Store", () => {
  it("holds one object a name, in each namespace", () => {
    const store = new Store<ConfigMap>();
    store.set(configMap("a", 1));
    store.set(configMap("a", 2, { namespace: "other" }));
    store.set(configMap("a", 3));
    expect(store.get("team", "a")?.metadata.resourceVersion).toBe("3");
    expect(versionsOf(store.list({}))).toEqual(["a@2", "a@3"]);
    expect(versionsOf(store.list({ namespace: "other" }))).toEqual(["a@2"]);
  });

  it("finds cluster-scoped objects without a namespace", () => {
    const store = new Store<ConfigMap>();
    const { namespace: _, ...metadata } = configMap("a", 1).metadata;
    store.set({ ...configMap("a", 1), metadata });
    expect(store.get(undefined, "a")).toBeDefined();
    store.delete(undefined, "a");
    expect(store.list({})).toEqual([]);
  });

  it("lists what a controller controls, by UID", () => {
    const store = new Store<ConfigMap>();
    store.set(configMap("a", 1, ownedBy("one")));
    store.set(configMap("b", 2, ownedBy("two")));
    store.set(configMap("c", 3));
    expect(versionsOf(store.list({ controller: "one" }))).toEqual(["a@1"]);
    expect(versionsOf(store.list({ controller: "one", namespace: "other" }))).toEqual([]);
    expect(store.list({ controller: "three" })).toEqual([]);
  });

  it("follows an object to its new controller, and its namesake of another UID", () => {
    const store = new Store<ConfigMap>();
    store.set(configMap("a", 1, ownedBy("one")));
    store.set(configMap("a", 2, ownedBy("two")));
    expect(store.list({ controller: "one" })).toEqual([]);
    store.set(configMap("a", 3, { ...ownedBy("two"), uid: "another" }));
    expect(versionsOf(store.list({ controller: "two" }))).toEqual(["a@3"]);
    store.delete("team", "a");
    expect(store.list({ controller: "two" })).toEqual([]);
  });

  it("lists those that have all labels asked for", () => {
    const store = new Store<ConfigMap>();
    store.set(configMap("a", 1, { labels: { app: "x", tier: "front" } }));
    store.set(configMap("b", 2, { labels: { app: "x" } }));
    store.set(configMap("c", 3));
    expect(versionsOf(store.list({ labels: { app: "x" } }))).toEqual(["a@1", "b@2"]);
    expect(versionsOf(store.list({ labels: { app: "x", tier: "front" } }))).toEqual(["a@1"]);
  });
});
