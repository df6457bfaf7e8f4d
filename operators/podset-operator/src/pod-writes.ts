import { isControlledBy, keyOf, Pod } from "@trimtab/apimachinery";
import { type Client, ignoreNotFound, isApiError } from "@trimtab/client";
import type { PodSet } from "./api/v1alpha1/podset.ts";
import type { NewPod } from "./plan.ts";
import { isActive } from "./pod-state.ts";
import { podFor } from "./resources/pod.ts";
import type { Outcome } from "./slow-start.ts";

/** What there is under a name that was asked for. */
export type Creation =
  /** A pod of the PodSet's: made now, or before by a request whose answer was lost. */
  | { readonly type: "created" | "found"; readonly pod: Pod }
  /** Another's pod, or one that no longer counts. */
  | { readonly type: "taken"; readonly place: number };

export async function createPod(client: Client, podset: PodSet, { place, name }: NewPod): Promise<Creation> {
  try {
    return { type: "created", pod: await client.create(Pod, podFor(podset, name)) };
  } catch (error) {
    if (!isApiError(error, "AlreadyExists")) throw error;
    const pod = await ignoreNotFound(client.get(Pod, { ...keyOf(podset), name }));
    const counts = pod !== undefined && isControlledBy(pod, podset) && isActive(pod);
    return counts ? { type: "found", pod } : { type: "taken", place };
  }
}

/** Deletes all of them that can be, and no namesake that was made since. */
export async function deletePods(client: Client, pods: readonly Pod[]): Promise<Outcome<Pod>> {
  const settled = await Promise.allSettled(pods.map((pod) => deletePod(client, pod)));
  return {
    results: settled.flatMap((each) => (each.status === "fulfilled" && each.value !== undefined ? [each.value] : [])),
    errors: settled.flatMap((each) => (each.status === "rejected" ? [each.reason] : [])),
  };
}

async function deletePod(client: Client, pod: Pod): Promise<Pod | undefined> {
  try {
    await client.delete(Pod, keyOf(pod), { uid: pod.metadata.uid });
    return pod;
  } catch (error) {
    // It is gone already, and perhaps another pod has its name.
    if (isApiError(error, "NotFound", "Conflict")) return undefined;
    throw error;
  }
}
