import type { LabelSelector, Labels } from "@trimtab/apimachinery";
import type { PodSet } from "../api/v1alpha1/podset.ts";

/** Finds the pods of every PodSet, and few others: what a pod is labelled never says whose it is. */
export const anyPodSet: LabelSelector = { matchLabels: { version: "v0.1" } };

export function labelsOf({ metadata }: PodSet): Labels {
  return { app: metadata.name, ...anyPodSet.matchLabels };
}
