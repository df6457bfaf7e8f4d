import { type Deployment, isDeleting, Pod, ReplicaSet } from "@trimtab/apimachinery";
import type { CacheReader } from "@trimtab/cache";

/** The names of the Pods that a Deployment's ReplicaSets control and that are not on their way out, sorted. */
export function nodesOf(deployment: Deployment | undefined, cache: CacheReader<ReplicaSet | Pod>): readonly string[] {
  if (deployment === undefined) return [];
  return cache
    .list(ReplicaSet, { controller: deployment.metadata.uid })
    .flatMap(({ metadata }) => cache.list(Pod, { controller: metadata.uid }))
    .filter((pod) => !isDeleting(pod) && !hasEnded(pod))
    .map(({ metadata }) => metadata.name)
    .sort();
}

/** An evicted Pod, say: it stays to be looked at, and another one has taken its place. */
function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Failed" || status?.phase === "Succeeded";
}

/** A Pod without all that nobody here reads. */
export function leanPod({ apiVersion, kind, metadata, status }: Pod): Pod {
  const phase = status?.phase;
  return { apiVersion, kind, metadata, ...(phase !== undefined && { status: { phase } }) };
}

/** A ReplicaSet without all that nobody here reads. */
export function leanReplicaSet({ apiVersion, kind, metadata }: ReplicaSet): ReplicaSet {
  return { apiVersion, kind, metadata };
}
