import type { Pod } from "@trimtab/apimachinery";
import { isReady, readySinceMs } from "./pod-state.ts";

/** What is known of a pod beside itself when pods are ranked. */
interface Ranking {
  /** How many of the pods are on each node. */
  readonly perNode: ReadonlyMap<string, number>;
  readonly nowMs: number;
}

/** Which of two pods should go first; negative for the first of them, 0 if it does not matter. */
type Preference = (a: Pod, b: Pod, ranking: Ranking) => number;

/** A ReplicaSet's order (k8s.io/kubernetes pkg/controller/controller_utils.go, `ActivePodsWithRanks`), but for restarts of init containers. */
const preferences: readonly Preference[] = [
  (a, b) => Number(isAssigned(a)) - Number(isAssigned(b)),
  (a, b) => phaseRank(a) - phaseRank(b),
  (a, b) => Number(isReady(a)) - Number(isReady(b)),
  (a, b) => deletionCost(a) - deletionCost(b),
  (a, b, { perNode }) => neighbours(b, perNode) - neighbours(a, perNode),
  (a, b, { nowMs }) => youngerFirst(a, b, readySinceMs, nowMs),
  (a, b) => restarts(b) - restarts(a),
  (a, b, { nowMs }) => youngerFirst(a, b, createdMs, nowMs),
  byUid,
];

/** The `count` pods whose loss hurts least, in the order in which a ReplicaSet would choose them; always the same ones. */
export function victims(pods: readonly Pod[], count: number, now: Date): readonly Pod[] {
  if (count <= 0) return [];
  const perNode = new Map<string, number>();
  for (const pod of pods) perNode.set(nodeOf(pod), neighbours(pod, perNode) + 1);
  const ranking = { perNode, nowMs: now.getTime() };
  return pods.toSorted((a, b) => preferred(a, b, ranking)).slice(0, count);
}

function preferred(a: Pod, b: Pod, ranking: Ranking): number {
  for (const preference of preferences) {
    const order = preference(a, b, ranking);
    if (order !== 0) return order;
  }
  return 0;
}

function nodeOf({ spec }: Pod): string {
  return spec?.nodeName ?? "";
}

function isAssigned(pod: Pod): boolean {
  return nodeOf(pod) !== "";
}

function phaseRank({ status }: Pod): number {
  return ["Pending", "Unknown", "Running"].indexOf(status?.phase ?? "Pending");
}

/** @see https://kubernetes.io/docs/reference/labels-annotations-taints/#pod-deletion-cost */
function deletionCost({ metadata }: Pod): number {
  const cost = metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"] ?? "0";
  return /^(0|-?[1-9]\d{0,9})$/.test(cost) ? Number(cost) : 0;
}

function neighbours(pod: Pod, perNode: ReadonlyMap<string, number>): number {
  return perNode.get(nodeOf(pod)) ?? 0;
}

function restarts({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

function createdMs({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp);
}

/**
 * Compares orders of magnitude only, and draws lots within one: else the youngest, all of one node perhaps, would be
 * the only ones to go (KEP-2185).
 */
function youngerFirst(a: Pod, b: Pod, sinceMs: (pod: Pod) => number | undefined, nowMs: number): number {
  const [since, other] = [sinceMs(a), sinceMs(b)];
  if (since === undefined || other === undefined || since === other) return 0;
  return magnitude(nowMs - since) - magnitude(nowMs - other) || byUid(a, b);
}

/** Of a length of time in nanoseconds, as upstream counts. */
function magnitude(ms: number): number {
  return ms > 0 ? Math.trunc(Math.log2(ms * 1e6)) : -1;
}

function byUid(a: Pod, b: Pod): number {
  return a.metadata.uid < b.metadata.uid ? -1 : 1;
}
