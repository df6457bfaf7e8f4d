import { formatSelector, type Pod } from "@trimtab/apimachinery";
import type { ConditionReport, StatusReport } from "@trimtab/status";
import type { PodSet } from "./api/v1alpha1/podset.ts";
import { isActive, isReady } from "./pod-state.ts";
import type { Refusal } from "./refusal.ts";
import { labelsOf } from "./resources/labels.ts";

/** What a run has found out, beside the pods themselves. */
export interface Findings {
  readonly replacements: readonly number[];
  /** Why there are not as many pods as there should be. */
  readonly refusal?: Refusal | undefined;
}

/** The status that a PodSet's pods amount to. */
export function statusOf(
  podset: PodSet,
  own: readonly Pod[],
  { replacements, refusal }: Findings,
): StatusReport<PodSet> {
  const active = own.filter(isActive);
  const ready = active.filter(isReady).length;
  return {
    podNames: active.map(({ metadata }) => metadata.name).sort(),
    replicas: active.length,
    readyReplicas: ready,
    availableReplicas: ready,
    selector: formatSelector({ matchLabels: labelsOf(podset) }),
    ...(replacements.some((count) => count > 0) && { replacements }),
    conditions: [
      readiness(podset, { active: active.length, ready }, refusal),
      ...(refusal === undefined ? [] : [{ type: "ReplicaFailure", status: "True", ...refusal } as const]),
    ],
  };
}

function readiness(
  { spec: { replicas } }: PodSet,
  { active, ready }: { readonly active: number; readonly ready: number },
  refusal: Refusal | undefined,
): ConditionReport<"Ready"> {
  const message = `${ready} of ${replicas} pods are ready`;
  if (refusal !== undefined)
    return { type: "Ready", status: "False", reason: refusal.reason, message: `${message}: ${refusal.message}` };
  return active === replicas && ready === replicas
    ? { type: "Ready", status: "True", reason: "PodsReady", message }
    : { type: "Ready", status: "False", reason: "PodsNotReady", message };
}
