import { resolve } from "node:path";
import type { Measured } from "./bare-client.ts";

/** Something to be created by POST. */
export interface Creation {
  readonly path: string;
  readonly body: object;
}

/** What there is for an operator to do, and how to tell that it is done. */
export interface Scenario {
  readonly name: string;
  readonly operator: string;
  /** The file with the CRD. */
  readonly crd: string;
  /** Must exist before all else: namespaces. */
  readonly surroundings: readonly Creation[];
  readonly owners: readonly Creation[];
  readonly childrenOfOne: number;
  /** Collections over all namespaces. */
  readonly ownersPath: string;
  readonly childrenPath: string;
  /** Whether the status of an owner says that all is as it should be without controllers of the children. */
  readonly reported: (owner: Measured) => boolean;
  /** The same children as an operator would create, for the floor. */
  readonly children: readonly Creation[];
}

const root = resolve(import.meta.dirname, "../..");
const namespace = "bench";
const targetLabel = { "trimtab.dev/bench": "target" };
const namespaces = (names: readonly string[], labels: Readonly<Record<string, string>> = {}): Creation[] =>
  names.map((name) => ({
    path: "/api/v1/namespaces",
    body: { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } },
  }));
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

interface Status {
  readonly conditions?: readonly { readonly observedGeneration?: number }[];
  readonly podNames?: readonly string[];
  readonly created?: number;
}

const observed = ({ metadata, status }: Measured): boolean =>
  (status as Status | undefined)?.conditions?.some(
    ({ observedGeneration }) => observedGeneration === metadata.generation,
  ) ?? false;

export function memcachedScenario(count: number): Scenario {
  const ownersPath = "/apis/cache.example.com/v1alpha1/memcacheds";
  const path = `/apis/cache.example.com/v1alpha1/namespaces/${namespace}/memcacheds`;
  return {
    name: `Memcached × ${count}`,
    operator: "memcached-operator",
    crd: resolve(root, "operators/memcached-operator/config/crd/bases/cache.example.com_memcacheds.yaml"),
    surroundings: namespaces([namespace]),
    owners: range(count).map((index) => ({
      path,
      body: {
        apiVersion: "cache.example.com/v1alpha1",
        kind: "Memcached",
        metadata: { name: `memcached-${index}`, namespace },
        spec: { size: 2 },
      },
    })),
    childrenOfOne: 1,
    ownersPath,
    childrenPath: "/apis/apps/v1/deployments",
    reported: observed,
    children: range(count).map((index) => ({
      path: `/apis/apps/v1/namespaces/${namespace}/deployments`,
      body: deployment(`floor-${index}`),
    })),
  };
}

export function podsetScenario(count: number, replicas: number): Scenario {
  return {
    name: `PodSet ${count} × ${replicas}`,
    operator: "podset-operator",
    crd: resolve(root, "operators/podset-operator/config/crd/bases/app.example.com_podsets.yaml"),
    surroundings: namespaces([namespace]),
    owners: range(count).map((index) => ({
      path: `/apis/app.example.com/v1alpha1/namespaces/${namespace}/podsets`,
      body: {
        apiVersion: "app.example.com/v1alpha1",
        kind: "PodSet",
        metadata: { name: `podset-${index}`, namespace },
        spec: { replicas },
      },
    })),
    childrenOfOne: replicas,
    ownersPath: "/apis/app.example.com/v1alpha1/podsets",
    childrenPath: "/api/v1/pods",
    reported: (owner) => (owner.status as Status | undefined)?.podNames?.length === replicas,
    children: range(count * replicas).map((index) => ({
      path: `/api/v1/namespaces/${namespace}/pods`,
      body: {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: `floor-${index}`, namespace, labels: { app: "floor" } },
        spec: pod(),
      },
    })),
  };
}

export function multiSecretScenario(count: number): Scenario {
  const targets = range(count).map((index) => `target-${index}`);
  return {
    name: `MultiSecret into ${count} namespaces`,
    operator: "secret-operator",
    crd: resolve(root, "operators/secret-operator/config/crd/bases/multi.ddnw.ml_multisecrets.yaml"),
    surroundings: [...namespaces([namespace]), ...namespaces(targets, targetLabel)],
    owners: [
      {
        path: `/apis/multi.ddnw.ml/v1alpha1/namespaces/${namespace}/multisecrets`,
        body: {
          apiVersion: "multi.ddnw.ml/v1alpha1",
          kind: "MultiSecret",
          metadata: { name: "multisecret", namespace },
          spec: {
            stringData: { password: "benchmark" },
            namespaceSelector: { matchLabels: targetLabel },
          },
        },
      },
    ],
    childrenOfOne: count,
    ownersPath: "/apis/multi.ddnw.ml/v1alpha1/multisecrets",
    childrenPath: "/api/v1/secrets",
    reported: (owner) => (owner.status as Status | undefined)?.created === count,
    children: targets.map((target) => ({
      path: `/api/v1/namespaces/${target}/secrets`,
      body: {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "floor", namespace: target },
        stringData: { password: "benchmark" },
      },
    })),
  };
}

function deployment(name: string): object {
  const labels = { app: "memcached", memcached_cr: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, labels },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod() } },
  };
}

function pod(): object {
  return {
    containers: [
      {
        name: "memcached",
        image: "memcached:1.4.36-alpine",
        command: ["memcached", "-m=64", "-o", "modern", "-v"],
        ports: [{ name: "memcached", containerPort: 11211 }],
      },
    ],
  };
}
