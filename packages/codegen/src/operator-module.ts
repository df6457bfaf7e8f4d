import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Operator } from "@trimtab/manager";

/**
 * The operator that a module exports by the name `operator`. Importing a module runs it: it must only describe.
 *
 * @throws TypeError if it exports none
 */
export async function operatorOf(path: string): Promise<Operator> {
  const module: { readonly operator?: unknown } = await import(pathToFileURL(resolve(path)).href);
  if (!isOperator(module.operator)) throw new TypeError(`${path} exports no \`operator\` with a name and controllers`);
  return module.operator;
}

function isOperator(value: unknown): value is Operator {
  return typeof value === "object" && value !== null && "name" in value && "controllers" in value;
}
