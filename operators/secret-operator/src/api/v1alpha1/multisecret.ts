import type { ObjectOf } from "@trimtab/apimachinery";
import { conditions, customResource, k } from "@trimtab/crd";

const keysAreLegal = [
  "self.all(key, size(key) <= 253 && key.matches('^[-._a-zA-Z0-9]+$') && key != '.' && !key.startsWith('..'))",
  "keys must consist of at most 253 alphanumeric characters, '-', '_' or '.', and not begin with '..'",
] as const;
const limits = { maxProperties: 1_000 };

const spec = k.object({
  data: k
    .map(k.bytes(), limits)
    .rule(...keysAreLegal)
    .optional()
    .describe("What each copy holds, in base64."),
  stringData: k
    .map(k.string(), limits)
    .rule(...keysAreLegal)
    .optional()
    .describe("The same as plain text; goes before data where both have a key."),
  type: k
    .string({ minLength: 1, maxLength: 253 })
    .rule(
      "self != 'kubernetes.io/service-account-token'",
      "must not be kubernetes.io/service-account-token: Kubernetes itself writes what such a Secret holds",
    )
    .default("Opaque")
    .describe("The type of each copy."),
  namespaceSelector: k
    .labelSelector()
    .optional()
    .describe("Which namespaces get a copy, by their labels; all of them if absent, that of the MultiSecret included."),
});

const status = k.object({
  wanted: k.int32().describe("How many namespaces are to hold a copy; those that are being deleted do not count."),
  created: k.int32().describe("How many of them hold one that is as it should be."),
  change_time: k.string().optional().describe("When copies were last made, changed or removed, in RFC 3339."),
  observedGeneration: k.int64().optional().describe("The metadata.generation that this status was computed for."),
  conditions: conditions("Ready"),
});

export const MultiSecret = customResource({
  group: "multi.ddnw.ml",
  version: "v1alpha1",
  kind: "MultiSecret",
  confidential: true,
  description: "A Secret with a copy in each of the chosen namespaces.",
  spec: spec.default({}),
  status,
  printerColumns: [
    { name: "Wanted", type: "integer", jsonPath: ".status.wanted" },
    { name: "Created", type: "integer", jsonPath: ".status.created" },
    { name: "ChangeTime", type: "string", jsonPath: ".status.change_time" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status', priority: 1 },
    { name: "Reason", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
    { name: "Type", type: "string", jsonPath: ".spec.type", priority: 1 },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp", priority: 1 },
  ],
});
export type MultiSecret = ObjectOf<typeof MultiSecret>;
