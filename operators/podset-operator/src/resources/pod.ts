import { controllerReference, type Pod } from "@trimtab/apimachinery";
import type { Created } from "@trimtab/client";
import type { PodSet } from "../api/v1alpha1/podset.ts";
import { labelsOf } from "./labels.ts";

/** A pod of a PodSet, as the tutorial has it. Pure: the same name gives the same pod. */
export function podFor(podset: PodSet, name: string): Created<Pod> {
  const { namespace } = podset.metadata;
  return {
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels: labelsOf(podset),
      ownerReferences: [controllerReference(podset)],
    },
    spec: podSpec,
  };
}

/** What the "restricted" Pod Security Standard asks for, and nothing of the cluster or the image to write to. */
const podSpec = {
  automountServiceAccountToken: false,
  containers: [
    {
      name: "fancy-alpine",
      image: "quay.io/amacdona/strauss",
      command: ["sleep", "3600"],
      resources: { requests: { cpu: "10m", memory: "16Mi" } },
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      },
    },
  ],
};
