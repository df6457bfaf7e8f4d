import { controllerReference, type ObjectMeta, type Pod } from "@trimtab/apimachinery";
import type { PodSet } from "./api/v1alpha1/podset.ts";
import { labelsOf } from "./resources/labels.ts";

export const now = new Date("2026-01-01T01:00:00Z");

/** A PodSet as the API server returns it, for tests. */
export function podSetWith(replicas: number, status: Partial<NonNullable<PodSet["status"]>> = {}): PodSet {
  return {
    apiVersion: "app.example.com/v1alpha1",
    kind: "PodSet",
    metadata: metadataOf("sample", "podset-uid"),
    spec: { replicas },
    status: { podNames: [], availableReplicas: 0, ...status },
  };
}

export interface PodFacts {
  readonly metadata?: Partial<ObjectMeta>;
  readonly phase?: string;
  readonly ready?: boolean;
  /** When it became ready. */
  readonly readyAt?: string;
  readonly nodeName?: string;
  readonly restarts?: number;
}

/** A pod of `podSetWith`'s, running and ready unless told otherwise. */
export function podWith(name: string, facts: PodFacts = {}): Pod {
  const { metadata, phase = "Running", ready = phase === "Running", nodeName, restarts = 0 } = facts;
  const podset = podSetWith(1);
  const lastTransitionTime = facts.readyAt ?? "2026-01-01T00:00:00Z";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...metadataOf(name, `${name}-uid`),
      labels: labelsOf(podset),
      ownerReferences: [controllerReference(podset)],
      ...metadata,
    },
    ...(nodeName !== undefined && { spec: { nodeName, containers: [] } }),
    status: {
      phase,
      conditions: [{ type: "Ready", status: ready ? "True" : "False", lastTransitionTime }],
      containerStatuses: [{ name: "only", image: "any", imageID: "any", ready, restartCount: restarts }],
    },
  };
}

function metadataOf(name: string, uid: string): ObjectMeta {
  return {
    name,
    namespace: "team-a",
    uid,
    resourceVersion: "1",
    generation: 1,
    creationTimestamp: "2026-01-01T00:00:00Z",
  };
}
