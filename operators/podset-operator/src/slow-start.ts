/** What came of tasks of which the later ones may never have been begun. */
export interface Outcome<T> {
  readonly results: readonly T[];
  readonly errors: readonly unknown[];
}

/**
 * Runs tasks in batches of 1, 2, 4, … and begins no batch after one in which a task failed: what fails for all of
 * them, a quota say, fails only a few times (`slowStartBatch` of k8s.io/kubernetes pkg/controller/replicaset).
 */
export async function slowStart<T>(tasks: readonly (() => Promise<T>)[]): Promise<Outcome<T>> {
  const results: T[] = [];
  const errors: unknown[] = [];
  for (let begun = 0, size = 1; begun < tasks.length && errors.length === 0; begun += size, size *= 2) {
    const batch = tasks.slice(begun, begun + size).map((task) => task());
    for (const settled of await Promise.allSettled(batch)) {
      if (settled.status === "fulfilled") results.push(settled.value);
      else errors.push(settled.reason);
    }
  }
  return { results, errors };
}
