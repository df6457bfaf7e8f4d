import type { Pod } from "@trimtab/apimachinery";

/** What a kubelet says of a pod that runs. */
export function podStatus(
  pod: Pod,
  { address, isReady }: { readonly address: string; readonly isReady: boolean },
): NonNullable<Pod["status"]> {
  const now = new Date().toISOString();
  const status = (is: boolean): string => (is ? "True" : "False");
  const condition = (type: string, is: boolean) => ({ type, status: status(is), lastTransitionTime: now });
  return {
    phase: "Running",
    podIP: address,
    podIPs: [{ ip: address }],
    startTime: now,
    conditions: [
      condition("PodScheduled", true),
      condition("Initialized", true),
      condition("ContainersReady", isReady),
      condition("Ready", isReady),
    ],
    containerStatuses: (pod.spec?.containers ?? []).map(({ name, image = "" }) => ({
      name,
      image,
      imageID: image,
      ready: isReady,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: now } },
    })),
  };
}
