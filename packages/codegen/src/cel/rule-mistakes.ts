import type { OpenApi, Rule } from "@trimtab/crd";
import { celCost } from "./cel-cost.ts";
import { type CelExpression, parseCel } from "./cel-expression.ts";
import { celTypeOf } from "./cel-type.ts";
import { rulesOf, type SchemaNode, schemaNodes } from "./schema-node.ts";

/** Why the API server would not understand rules of a schema, or could not check them. */
export function ruleMistakes(root: OpenApi): readonly string[] {
  return schemaNodes(root).flatMap((node) =>
    rulesOf(node).flatMap((rule) =>
      mistakesIn(node, rule).map(
        ([expression, because]) => `the rule ${JSON.stringify(expression)} of ${placeOf(node)} is wrong: ${because}`,
      ),
    ),
  );
}

export function placeOf({ path }: Pick<SchemaNode, "path">): string {
  return path === "" ? "the resource" : path;
}

function mistakesIn(node: SchemaNode, rule: Rule): readonly (readonly [expression: string, because: string])[] {
  const expressions = [rule.rule, ...(rule.messageExpression === undefined ? [] : [rule.messageExpression])];
  const wrong = expressions.flatMap((expression) => {
    const because = mistakeIn(expression, node, rule);
    return because === undefined ? [] : [[expression, because] as const];
  });
  if (wrong.length > 0) return wrong;
  const because = oldSelfMistake(node, rule);
  return because === undefined ? [] : [[rule.rule, because]];
}

function mistakeIn(expression: string, { schema, path }: SchemaNode, rule: Rule): string | undefined {
  const type = celTypeOf(schema, path === "" || undefined);
  if (type === undefined) return "CEL sees no value of which the schema does not say the type";
  try {
    celCost(expression, type, rule.optionalOldSelf);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

/** The API server finds the old value of an item only if the list has keys that tell its items apart. */
function oldSelfMistake({ ancestors }: SchemaNode, rule: Rule): string | undefined {
  if (!mentionsOldSelf(parseCel(rule.rule))) {
    return rule.optionalOldSelf === undefined ? undefined : "optionalOldSelf is of use only if it mentions oldSelf";
  }
  const list = ancestors
    .slice(0, -1)
    .find(({ schema }) => schema["type"] === "array" && schema["x-kubernetes-list-type"] !== "map");
  if (list === undefined) return undefined;
  return `nobody knows the oldSelf of an item of ${list.path}: make that a listMap, or say the rule of the list itself`;
}

function mentionsOldSelf(expression: CelExpression): boolean {
  switch (expression.is) {
    case "identifier":
      return expression.name === "oldSelf";
    case "select":
      return mentionsOldSelf(expression.of);
    case "call":
      return expression.with.some(mentionsOldSelf) || (expression.of !== undefined && mentionsOldSelf(expression.of));
    case "list":
      return expression.items.some(mentionsOldSelf);
    case "map":
      return expression.entries.flat().some(mentionsOldSelf);
    default:
      return false;
  }
}
