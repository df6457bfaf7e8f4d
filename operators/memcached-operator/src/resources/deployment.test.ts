import { describe, expect, it } from "vitest";
import { memcachedWith } from "../memcached.fixture.ts";
import { deploymentFor } from "./deployment.ts";

describe("deploymentFor", () => {
  it("is the tutorial's Deployment", () => {
    const { metadata, spec } = deploymentFor(memcachedWith({ size: 3 }));
    const labels = { app: "memcached", memcached_cr: "sample" };
    expect(metadata).toMatchObject({ name: "sample", namespace: "team-a", labels });
    expect(spec).toMatchObject({
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels } },
    });
    expect(spec?.template?.spec?.containers).toMatchObject([
      {
        name: "memcached",
        image: "memcached:1.4.36-alpine",
        command: ["memcached", "-m=64", "-o", "modern", "-v"],
        ports: [{ name: "memcached", containerPort: 11211 }],
      },
    ]);
  });

  it("is controlled by its Memcached, by UID", () => {
    expect(deploymentFor(memcachedWith()).metadata.ownerReferences).toEqual([
      {
        apiVersion: "cache.example.com/v1alpha1",
        kind: "Memcached",
        name: "sample",
        uid: "memcached-uid",
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  });

  it("asks for zero replicas rather than leaving the number to the API server", () => {
    expect(deploymentFor(memcachedWith({ size: 0 })).spec?.replicas).toBe(0);
  });

  it("selects by nothing that can change: an image without a tag, with a port or with a digest is only an image", () => {
    const selectors = ["memcached", "registry.example:5000/memcached", "memcached@sha256:0"].map(
      (image) => deploymentFor(memcachedWith({ image })).spec?.selector,
    );
    expect(new Set(selectors.map((selector) => JSON.stringify(selector))).size).toBe(1);
  });

  it("is the same for the same spec, whatever the status", () => {
    const memcached = memcachedWith();
    expect(deploymentFor({ ...memcached, status: { nodes: ["a"] } })).toEqual(deploymentFor(memcached));
  });
});
