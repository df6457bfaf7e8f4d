import { controllerReference, type Deployment } from "@trimtab/apimachinery";
import type { Applied } from "@trimtab/client";
import type { Memcached } from "../api/v1alpha1/memcached.ts";
import { labelsOf } from "./selector.ts";

/** The Deployment that a Memcached asks for. Pure: the same spec gives the same Deployment. */
export function deploymentFor(memcached: Memcached): Applied<Deployment> {
  const { name, namespace } = memcached.metadata;
  const labels = labelsOf(memcached);
  return {
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels,
      ownerReferences: [controllerReference(memcached)],
    },
    spec: {
      replicas: memcached.spec.size,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpecFor(memcached) },
    },
  };
}

const port = { name: "memcached", containerPort: 11_211 } as const;
const probe = { tcpSocket: { port: port.name } } as const;

/** What the "restricted" Pod Security Standard asks for, and no way to write to the image. */
function podSpecFor({ spec: { image } }: Memcached) {
  return {
    automountServiceAccountToken: false,
    // The user of memcached's own images, as a number: a kubelet cannot tell from a name that it is not root.
    securityContext: { runAsNonRoot: true, runAsUser: 11_211, seccompProfile: { type: "RuntimeDefault" } },
    containers: [
      {
        name: "memcached",
        image,
        command: ["memcached", "-m=64", "-o", "modern", "-v"],
        ports: [port],
        resources: { requests: { cpu: "50m", memory: "96Mi" } },
        readinessProbe: probe,
        livenessProbe: probe,
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
          readOnlyRootFilesystem: true,
        },
      },
    ],
  };
}
