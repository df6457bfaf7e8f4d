import type { OpenApi } from "@trimtab/crd";
import { mostOfAll, mostOfOne, type RuleCost, ruleCosts } from "./rule-cost.ts";
import { placeOf } from "./rule-mistakes.ts";
import { boundOf, type SchemaNode, schemaNodes, withBounds } from "./schema-node.ts";

/**
 * Why the API server would find the rules of a schema too expensive, and what to do about it; nothing if it would
 * not. It accepts a rule only if that cannot become slow for any object which the schema lets through, so what a
 * rule goes through must be bounded.
 *
 * @throws SyntaxError if there are mistakes in rules
 */
export function overBudget(root: OpenApi): readonly string[] {
  const costs = ruleCosts(root);
  const dear = costs.filter(({ cost }) => cost > mostOfOne);
  if (dear.length > 0) return dear.map((each) => complaintAbout(root, each));
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= mostOfAll) return [];
  const worst = costs.toSorted((a, b) => b.cost - a.cost).slice(0, 4);
  return [
    `the rules together may cost ${factor(total / mostOfAll)} what the API server allows: ` +
      `lower the limits of what the dearest go through, ${worst.map(named).join(", ")}`,
  ];
}

function complaintAbout(root: OpenApi, dear: RuleCost): string {
  const complaint = `${named(dear)} may cost ${factor(dear.cost / mostOfOne)} what the API server allows`;
  const culprits = culpritsOf(root, dear);
  const enough = limits.find((most) => costWith(root, dear, culprits, most) <= mostOfOne);
  if (enough === undefined) return `${complaint}: simplify it`;
  const remedies = culprits.map(remedyFor).join(" and ");
  return `${complaint}: ${remedies}; ${enough}${culprits.length > 1 ? " each" : ""} is low enough`;
}

/** What to try as a bound. */
const limits = [100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 250, 100, 64, 32, 16, 8, 4, 2, 1];

/** The places whose size makes the rule dear: those without a bound, and if that is not it, those with a high one. */
function culpritsOf(root: OpenApi, dear: RuleCost): readonly SchemaNode[] {
  const nodes = schemaNodes(root);
  const above = nodes.find(({ path }) => path === dear.path)?.ancestors ?? [];
  const large = nodes.filter((node) => boundOf(node) && (above.includes(node) || isWithin(node, dear.path)));
  const matters = (node: SchemaNode): boolean => {
    const others = large.filter((other) => other !== node);
    return costWith(root, dear, others, 1) - costWith(root, dear, large, 1) > mostOfOne / 100;
  };
  const boundless = large.filter((node) => !isBounded(node) && matters(node));
  if (boundless.length > 0 && costWith(root, dear, boundless, 1) <= mostOfOne) return boundless;
  return [...boundless, ...large.filter((node) => isBounded(node) && matters(node))];
}

function isWithin({ path }: SchemaNode, outer: string): boolean {
  return outer === "" || path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

function isBounded(node: SchemaNode): boolean {
  const bound = boundOf(node);
  return bound !== undefined && node.schema[bound] !== undefined;
}

function costWith(
  root: OpenApi,
  { path, rule, says }: RuleCost,
  culprits: readonly SchemaNode[],
  most: number,
): number {
  const schema = withBounds(root, new Set(culprits.map((culprit) => culprit.path)), most);
  return ruleCosts(schema).find((each) => each.path === path && each.rule === rule && each.says === says)?.cost ?? 0;
}

function remedyFor(node: SchemaNode): string {
  return isBounded(node) ? `lower the ${boundOf(node)} of ${node.path}` : `give ${node.path} a ${boundOf(node)}`;
}

function named({ path, rule, says }: RuleCost): string {
  const what = says === "rule" ? "the rule" : "the messageExpression";
  return `${what} ${JSON.stringify(rule[says])} of ${placeOf({ path })}`;
}

function factor(times: number): string {
  return times > 100 ? "more than 100 times" : `${times.toPrecision(2)} times`;
}
