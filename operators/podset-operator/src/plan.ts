import { isDeleting, type Pod } from "@trimtab/apimachinery";
import type { PodSet } from "./api/v1alpha1/podset.ts";
import type { Pods } from "./observe.ts";
import { hasEnded, isActive } from "./pod-state.ts";
import { podName } from "./resources/pod-name.ts";
import { victims } from "./victims.ts";

/** What is to be done for a PodSet. */
export interface Plan {
  /** What the status must say before any pod of `create` is asked for. */
  readonly replacements: readonly number[];
  readonly create: readonly NewPod[];
  readonly remove: readonly Pod[];
  /** When to look again, in milliseconds: a pod has ended that is yet too young to be replaced. */
  readonly againInMs: number | undefined;
}

export interface NewPod {
  readonly place: number;
  readonly name: string;
}

/**
 * A pod that ends sooner than this after its creation is not replaced before: on a node that refuses each, say,
 * pods would be made without end. The first in its place is replaced at once.
 */
const youngestFailureMs = 10_000;

/**
 * Decides what a PodSet asks for.
 *
 * Each of its pods is in a place, 0 to 9, and named after the place and after how often the pod there was replaced.
 * That number is in the status, and is written before the name is asked for; so whoever finds the place empty,
 * after a restart or with an old view of the pods, asks for a name that is taken if the pod is there.
 */
export function plan(podset: PodSet, { own, gone }: Pods, now: Date): Plan {
  const active = own.filter(isActive);
  const ended = own.filter((pod) => hasEnded(pod) && !isDeleting(pod));
  const missing = podset.spec.replicas - active.length;
  const replacements = [...(podset.status?.replacements ?? [])];
  const create: NewPod[] = [];
  const waiting = new Map<Pod, number>();

  const byName = new Map(own.map((pod) => [pod.metadata.name, pod]));
  const isUsed = (name: string): boolean => byName.has(name) || gone.has(name);

  for (let place = 0; create.length + waiting.size < missing; place += 1) {
    let count = replacements[place] ?? 0;
    const holder = byName.get(podName(podset, place, count));
    if (holder !== undefined && isActive(holder)) continue;
    const restMs = holder === undefined || count === 0 ? 0 : restOf(holder, now);
    if (holder !== undefined && restMs > 0) {
      waiting.set(holder, restMs);
      continue;
    }
    while (isUsed(podName(podset, place, count))) count += 1;
    replacements[place] = count;
    create.push({ place, name: podName(podset, place, count) });
  }
  return {
    replacements: Array.from(replacements, (count = 0) => count),
    create,
    remove: [...ended.filter((pod) => !waiting.has(pod)), ...victims(active, -missing, now)],
    againInMs: waiting.size === 0 ? undefined : Math.min(...waiting.values()),
  };
}

/** How long a pod must go on without a successor. */
function restOf(pod: Pod, now: Date): number {
  if (isDeleting(pod)) return 0;
  return youngestFailureMs - (now.getTime() - Date.parse(pod.metadata.creationTimestamp));
}
