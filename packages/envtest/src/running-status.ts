import type { Pod } from "@trimtab/apimachinery";
import { hostIP } from "./kubelet-node.ts";

type Container = NonNullable<Pod["spec"]>["containers"][number];

/** The status of a pod whose containers all run and are ready, as of `now`. */
export function runningStatus(pod: Pod, podIP: string, now: string): object {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  return {
    phase: "Running",
    hostIP,
    hostIPs: [{ ip: hostIP }],
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: now,
    conditions: ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"].map(
      (type) => ({
        type,
        status: "True",
        lastProbeTime: null,
        lastTransitionTime: now,
      }),
    ),
    containerStatuses: containers.map((container) => running(container, now)),
    ...(initContainers.length > 0 && {
      initContainerStatuses: initContainers.map((container) =>
        // A side-car is an init container that goes on.
        container.restartPolicy === "Always" ? running(container, now) : completed(container, now),
      ),
    }),
  };
}

function running(container: Container, now: string): object {
  return { ...identity(container), ready: true, started: true, state: { running: { startedAt: now } } };
}

function completed(container: Container, now: string): object {
  const terminated = { exitCode: 0, reason: "Completed", startedAt: now, finishedAt: now };
  return { ...identity(container), ready: true, started: false, state: { terminated } };
}

function identity({ name, image = "" }: Container): object {
  return { name, image, imageID: `none://${image}`, containerID: `none://${name}`, restartCount: 0, lastState: {} };
}
