import type { ObjectOf } from "@trimtab/apimachinery";
import { conditions, customResource, k } from "@trimtab/crd";

export const Greeting = customResource({
  group: "example.com",
  version: "v1alpha1",
  kind: "Greeting",
  description: "A greeting, written into a ConfigMap of the same name.",
  spec: k.object({
    whom: k.string({ minLength: 1 }).describe("Who is greeted."),
    times: k.int32({ minimum: 1, maximum: 10 }).default(1).describe("How often."),
  }),
  status: k.object({
    observedGeneration: k.int64().optional().describe("The generation that this status is of."),
    conditions: conditions("Ready"),
  }),
  printerColumns: [
    { name: "Whom", type: "string", jsonPath: ".spec.whom" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  ],
});
export type Greeting = ObjectOf<typeof Greeting>;
