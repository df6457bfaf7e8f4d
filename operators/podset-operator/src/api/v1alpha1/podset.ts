import type { ObjectOf } from "@trimtab/apimachinery";
import { conditions, customResource, k, nameAtMost } from "@trimtab/crd";

const spec = k.object({
  replicas: k.int32({ minimum: 1, maximum: 10 }).default(1).describe("How many pods to run."),
});

const status = k.object({
  podNames: k.list(k.string()).describe("The names of the pods that count, in alphabetical order."),
  replicas: k
    .int32()
    .optional()
    .describe("How many pods there are, ready or not; ended and terminating ones do not count."),
  readyReplicas: k.int32().optional().describe("How many of them are ready."),
  availableReplicas: k.int32().describe("How many of them serve: for now, those that are ready."),
  selector: k.string().optional().describe("The label selector that finds the pods, for autoscalers."),
  replacements: k
    .list(k.int32({ minimum: 0 }), { maxItems: 10 })
    .optional()
    .describe("How often the pod in each place was replaced; part of a pod's name, so that no name is used twice."),
  observedGeneration: k.int64().optional().describe("The metadata.generation that this status was computed for."),
  conditions: conditions("Ready", "ReplicaFailure"),
});

export const PodSet = customResource({
  group: "app.example.com",
  version: "v1alpha1",
  kind: "PodSet",
  description: "A number of pods of the same kind, each replaced when it fails or vanishes.",
  spec: spec.default({}),
  status,
  rules: [nameAtMost(63, "it is the value of a label of the pods")],
  scale: {
    specReplicasPath: ".spec.replicas",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.selector",
  },
  printerColumns: [
    { name: "Desired", type: "integer", jsonPath: ".spec.replicas" },
    { name: "Current", type: "integer", jsonPath: ".status.replicas" },
    { name: "Available", type: "integer", jsonPath: ".status.availableReplicas" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Reason", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
    { name: "Pods", type: "string", jsonPath: ".status.podNames", priority: 1 },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});
export type PodSet = ObjectOf<typeof PodSet>;
