import { isDeleting, type Pod } from "@trimtab/apimachinery";

export function isReady(pod: Pod): boolean {
  return (
    !isDeleting(pod) && (pod.status?.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True")
  );
}

/** What is lacking until exactly `count` pods are there, each of them ready. */
export function lacksReadyPods(pods: readonly Pod[], count: number): string | undefined {
  const ready = pods.filter(isReady).length;
  return ready === count && pods.length === count
    ? undefined
    : `${ready} of ${count} pods are ready, ${pods.length} are there`;
}

export function namesOf(pods: readonly Pod[]): readonly string[] {
  return pods.map(({ metadata }) => metadata.name).sort();
}

/** The pod that the story takes away. */
export function victimOf(pods: readonly Pod[]): string {
  const [name] = namesOf(pods);
  if (name === undefined) throw new Error("there is no pod to take away");
  return name;
}

/** What is lacking until `victim` is gone and `count` others are ready. */
export function lacksReplacement(pods: readonly Pod[], victim: string, count: number): string | undefined {
  return namesOf(pods).includes(victim) ? `pod ${victim} is still there` : lacksReadyPods(pods, count);
}

/** What is lacking until a status names exactly these pods. */
export function lacksNames(
  field: string,
  named: readonly string[] | undefined,
  pods: readonly Pod[],
): string | undefined {
  const names = namesOf(pods);
  const same = named !== undefined && named.length === names.length && names.every((name, i) => name === named[i]);
  return same ? undefined : `${field} is ${JSON.stringify(named ?? null)}`;
}
