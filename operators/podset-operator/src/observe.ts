import { isControlledBy, keyOf, type Labels, matchesSelector, Pod } from "@trimtab/apimachinery";
import { ignoreNotFound } from "@trimtab/client";
import type { ReconcileContext } from "@trimtab/controller";
import type { PodSet } from "./api/v1alpha1/podset.ts";
import { isActive } from "./pod-state.ts";
import { labelsOf } from "./resources/labels.ts";

/** What a run knows of a PodSet's pods. */
export interface Pods {
  /** All that the PodSet controls, by UID: another's pods do not count, whatever their labels. */
  readonly own: readonly Pod[];
  /** The names of those that the status speaks of and that are certainly no more. */
  readonly gone: ReadonlySet<string>;
}

/**
 * Finds a PodSet's pods. Of a pod that the status names and memory does not hold the API server is asked: it may be
 * gone, or have lost the label that memory goes by, or memory may lag behind. A lost label is put back.
 */
export async function observe(podset: PodSet, { cache, client }: ReconcileContext<PodSet | Pod>): Promise<Pods> {
  const held = cache.list(Pod, { controller: podset.metadata.uid });
  const names = new Set(held.map(({ metadata }) => metadata.name));
  const missing = (podset.status?.podNames ?? []).filter((name) => !names.has(name));
  const found = await Promise.all(missing.map((name) => ignoreNotFound(client.get(Pod, { ...keyOf(podset), name }))));
  const overlooked = found.filter((pod) => pod !== undefined).filter((pod) => isControlledBy(pod, podset));

  const matchLabels = labelsOf(podset);
  const own = await Promise.all(
    [...held, ...overlooked].map((pod) =>
      isActive(pod) && !matchesSelector(pod.metadata.labels, { matchLabels })
        ? client.mergePatch(Pod, keyOf(pod), labelPatch(pod, matchLabels))
        : pod,
    ),
  );
  const known = new Set(own.map(({ metadata }) => metadata.name));
  return { own, gone: new Set(missing.filter((name) => !known.has(name))) };
}

/** With its UID, a namesake that was made since is a conflict. */
function labelPatch({ metadata: { uid } }: Pod, labels: Labels): object {
  return { metadata: { uid, labels } };
}
