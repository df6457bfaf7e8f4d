import type { Deployment, ObjectMeta } from "@trimtab/apimachinery";
import type { Memcached } from "./api/v1alpha1/memcached.ts";

/** A Memcached as the API server returns it, for tests. */
export function memcachedWith(spec: Partial<Memcached["spec"]> = {}): Memcached {
  return {
    apiVersion: "cache.example.com/v1alpha1",
    kind: "Memcached",
    metadata: metadataOf("sample", "memcached-uid"),
    spec: { size: 2, image: "memcached:1.4.36-alpine", ...spec },
  };
}

/** The Deployment of `memcachedWith`, at generation 1 and with this status. */
export function deploymentWith(status: NonNullable<Deployment["status"]>): Deployment {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadataOf("sample", "deployment-uid"),
    spec: { replicas: 2, selector: {}, template: {} },
    status,
  };
}

export function metadataOf(name: string, uid: string): ObjectMeta {
  return {
    name,
    namespace: "team-a",
    uid,
    resourceVersion: "1",
    generation: 1,
    creationTimestamp: "2026-01-01T00:00:00Z",
  };
}
