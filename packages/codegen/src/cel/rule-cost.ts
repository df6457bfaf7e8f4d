import type { OpenApi, Rule } from "@trimtab/crd";
import { celCost } from "./cel-cost.ts";
import { celTypeOf, mostBytes } from "./cel-type.ts";
import { product } from "./cel-value.ts";
import { boundOf, rulesOf, type SchemaNode, schemaNodes } from "./schema-node.ts";

/** What the API server lets one rule, or one message, cost at most (`StaticEstimatedCostLimit` of apiextensions). */
export const mostOfOne = 10_000_000;
/** What it lets all rules of a version cost together (`StaticEstimatedCRDCostLimit`). */
export const mostOfAll = 100_000_000;

/** What an expression of a schema may cost, for all the values that one object can hold at that place. */
export interface RuleCost {
  readonly path: string;
  readonly rule: Rule;
  readonly says: "rule" | "messageExpression";
  /** In the units of CEL. */
  readonly cost: number;
}

/**
 * What each rule of a schema may cost, as the API server estimates it before it accepts a CRD.
 *
 * @throws SyntaxError if a rule is not CEL, or reads a field that there is not
 */
export function ruleCosts(root: OpenApi): readonly RuleCost[] {
  return schemaNodes(root).flatMap((node) => rulesOf(node).flatMap((rule) => costsOf(node, rule)));
}

function costsOf(node: SchemaNode, rule: Rule): readonly RuleCost[] {
  const type = celTypeOf(node.schema, node.path === "" || undefined);
  if (type === undefined) return [];
  const costOf = (expression: string): number => celCost(expression, type, rule.optionalOldSelf);
  const times = occurrencesOf(node) ?? Math.floor(mostBytes / (type.leastBytes + 1));
  const ofRule: RuleCost = { path: node.path, rule, says: "rule", cost: product(times, costOf(rule.rule)) };
  if (rule.messageExpression === undefined) return [ofRule];
  // A message is made but once, for the first value that the rule refuses.
  return [ofRule, { path: node.path, rule, says: "messageExpression", cost: costOf(rule.messageExpression) }];
}

/** How often such a value can be in one object; nothing if a list or map above it has no bound. */
function occurrencesOf({ ancestors }: SchemaNode): number | undefined {
  return ancestors.slice(0, -1).reduce<number | undefined>((count, above) => {
    const bound = boundOf(above);
    if (bound !== "maxItems" && bound !== "maxProperties") return count;
    const most = above.schema[bound] as number | undefined;
    return count === undefined || most === undefined ? undefined : count * most;
  }, 1);
}
