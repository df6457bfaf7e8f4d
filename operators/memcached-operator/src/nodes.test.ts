import type { KubeObject, OwnerReference, Pod, ReplicaSet } from "@trimtab/apimachinery";
import type { CacheReader } from "@trimtab/cache";
import { describe, expect, it } from "vitest";
import { deploymentWith, metadataOf } from "./memcached.fixture.ts";
import { nodesOf } from "./nodes.ts";

const deployment = deploymentWith({});

function controlledBy(uid: string): { readonly ownerReferences: readonly OwnerReference[] } {
  return { ownerReferences: [{ apiVersion: "v1", kind: "Any", name: "any", uid, controller: true }] };
}

function replicaSet(uid: string, owner: string): ReplicaSet {
  return { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { ...metadataOf(uid, uid), ...controlledBy(owner) } };
}

function pod(name: string, owner: string, metadata: Partial<Pod["metadata"]> = {}, phase = "Running"): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...metadataOf(name, name), ...controlledBy(owner), ...metadata },
    status: { phase },
  };
}

function cacheOf(...objects: readonly KubeObject[]): CacheReader {
  return {
    get: () => undefined,
    watches: () => true,
    forbidden: () => undefined,
    list: (type, options) =>
      objects.filter(
        ({ kind, metadata }) =>
          kind === type.kind && metadata.ownerReferences?.some(({ uid }) => uid === options?.controller),
      ) as never[],
  };
}

const ours = replicaSet("rs-1", "deployment-uid");

describe("nodesOf", () => {
  it("sorts the names, whatever order the cache has them in", () => {
    expect(nodesOf(deployment, cacheOf(ours, pod("c", "rs-1"), pod("a", "rs-1"), pod("b", "rs-1")))).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  it("counts the Pods of the old and of the new ReplicaSet during a roll-out", () => {
    const cache = cacheOf(ours, replicaSet("rs-2", "deployment-uid"), pod("old", "rs-1"), pod("new", "rs-2"));
    expect(nodesOf(deployment, cache)).toEqual(["new", "old"]);
  });

  it("counts no Pod that belongs to somebody else, whatever its labels say", () => {
    const labels = { app: "memcached", memcached_cr: "sample" };
    const cache = cacheOf(
      ours,
      pod("a", "rs-1"),
      replicaSet("foreign", "other-uid"),
      pod("b", "foreign", { labels }),
      pod("c", "nobody", { labels, ownerReferences: [] }),
    );
    expect(nodesOf(deployment, cache)).toEqual(["a"]);
  });

  it("counts no Pod that is on its way out", () => {
    const leaving = pod("b", "rs-1", { deletionTimestamp: "2026-01-01T00:00:00Z" });
    expect(nodesOf(deployment, cacheOf(ours, pod("a", "rs-1"), leaving))).toEqual(["a"]);
  });

  it("counts no Pod that has ended", () => {
    const ended = [pod("b", "rs-1", {}, "Failed"), pod("c", "rs-1", {}, "Succeeded")];
    expect(nodesOf(deployment, cacheOf(ours, pod("a", "rs-1", {}, "Pending"), ...ended))).toEqual(["a"]);
  });

  it("is an empty list without Pods, and without a Deployment", () => {
    expect(nodesOf(deployment, cacheOf(ours))).toEqual([]);
    expect(nodesOf(undefined, cacheOf(ours))).toEqual([]);
  });
});
