import { isDeleting, type Pod } from "@trimtab/apimachinery";

/** Whether a pod counts as one of its PodSet's: it may be pending, but neither ended nor on its way out. */
export function isActive(pod: Pod): boolean {
  return !isDeleting(pod) && !hasEnded(pod);
}

/** Whether its containers will never run again: it was evicted, say. */
export function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Failed" || status?.phase === "Succeeded";
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === "True";
}

/** Since when it is ready, in milliseconds since 1970; `undefined` if it is not. */
export function readySinceMs(pod: Pod): number | undefined {
  const { status, lastTransitionTime } = readyCondition(pod) ?? {};
  return status === "True" && lastTransitionTime !== undefined ? Date.parse(lastTransitionTime) : undefined;
}

/** A pod without all that nobody here reads. */
export function leanPod({ apiVersion, kind, metadata, spec, status }: Pod): Pod {
  const { nodeName } = spec ?? {};
  const { phase, reason, message, containerStatuses = [] } = status ?? {};
  const ready = status?.conditions?.filter(({ type }) => type === "Ready");
  return {
    apiVersion,
    kind,
    metadata,
    ...(nodeName !== undefined && { spec: { nodeName, containers: [] } }),
    status: {
      ...(phase !== undefined && { phase }),
      ...(reason !== undefined && { reason }),
      ...(message !== undefined && { message }),
      ...(ready !== undefined && { conditions: ready }),
      containerStatuses: containerStatuses.filter(({ restartCount }) => restartCount > 0),
    },
  };
}

function readyCondition({ status }: Pod) {
  return status?.conditions?.find(({ type }) => type === "Ready");
}
