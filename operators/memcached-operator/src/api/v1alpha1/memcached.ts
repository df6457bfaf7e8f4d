import type { ObjectOf } from "@trimtab/apimachinery";
import { conditions, customResource, k, nameAtMost } from "@trimtab/crd";

const spec = k.object({
  size: k.int32({ minimum: 0 }).describe("How many memcached Pods to run."),
  image: k
    .string({ minLength: 1, maxLength: 1024, pattern: "^\\S+$" })
    .default("memcached:1.4.36-alpine")
    .describe("The image that each Pod runs."),
});

const status = k.object({
  nodes: k.list(k.string()).describe("The names of the Pods, in alphabetical order."),
  replicas: k.int32().optional().describe("How many Pods there are."),
  readyReplicas: k.int32().optional().describe("How many Pods are ready."),
  selector: k.string().optional().describe("The label selector that finds the Pods, for autoscalers."),
  observedGeneration: k.int64().optional().describe("The metadata.generation that this status was computed for."),
  conditions: conditions("Ready", "Available", "Progressing"),
});

export const Memcached = customResource({
  group: "cache.example.com",
  version: "v1alpha1",
  kind: "Memcached",
  description: "A number of memcached Pods, run by a Deployment of the same name.",
  shortNames: ["mc"],
  spec,
  status,
  rules: [nameAtMost(63, "it is the value of a label of the Pods")],
  scale: {
    specReplicasPath: ".spec.size",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.selector",
  },
  printerColumns: [
    { name: "Desired", type: "integer", jsonPath: ".spec.size" },
    { name: "Current", type: "integer", jsonPath: ".status.replicas" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Reason", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
    { name: "Image", type: "string", jsonPath: ".spec.image", priority: 1 },
    { name: "Nodes", type: "string", jsonPath: ".status.nodes", priority: 1 },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});
export type Memcached = ObjectOf<typeof Memcached>;
