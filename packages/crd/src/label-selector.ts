import type { LabelSelector } from "@trimtab/apimachinery";
import { list, map } from "./collection.ts";
import { atomic, object } from "./object.ts";
import { oneOf, string } from "./scalar.ts";
import type { RequiredSchema } from "./schema.ts";

const values = list(string({ maxLength: 63, pattern: "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$" }), {
  maxItems: 256,
});

const requirement = object({
  key: string({ minLength: 1, maxLength: 317 }).describe("The label that the requirement is about."),
  operator: oneOf("In", "NotIn", "Exists", "DoesNotExist").describe("How the label's value relates to the values."),
  values: values.optional().describe("Needed by In and NotIn, and of no meaning to the others."),
}).rule(
  "self.operator in ['In', 'NotIn'] ? has(self.values) && size(self.values) > 0 : !has(self.values) || size(self.values) == 0",
  "values must be given for the operators In and NotIn, and for no other",
);

/**
 * A `metav1.LabelSelector`: all of its requirements must hold, and an empty one holds for everything.
 * What the API server refuses of a built-in kind's selector it refuses here
 * (`ValidateLabelSelector` of apimachinery's `pkg/apis/meta/v1/validation`), but for the syntax of keys.
 */
export function labelSelector(): RequiredSchema<LabelSelector> {
  const selector = object({
    matchLabels: map(string({ maxLength: 63 }))
      .optional()
      .describe("Labels that must have exactly these values."),
    matchExpressions: list(requirement, { maxItems: 64 }).optional().describe("Requirements that must all hold."),
  });
  return atomic(selector) as RequiredSchema<LabelSelector>;
}
