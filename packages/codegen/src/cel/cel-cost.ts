import { type CelExpression, parseCel } from "./cel-expression.ts";
import { functions } from "./cel-functions.ts";
import { type CelCallExpression, type CelEstimator, type CelVariables, macroValue } from "./cel-macros.ts";
import type { CelType } from "./cel-type.ts";
import {
  type CelCall,
  type CelValue,
  isScalar,
  listOf,
  mapOf,
  optionalOf,
  scalar,
  text,
  unknown,
} from "./cel-value.ts";

/** What functions with a dot in their names begin with. */
const packages = new Set(["format", "ip", "lists", "optional", "sets", "strings"]);

/**
 * What a rule about a value of this type may cost at most, in the units of CEL, as the API server estimates it
 * before it accepts the rule (`Cost` of cel-go's `checker/cost.go`). Functions that are not known here count 1.
 *
 * @throws SyntaxError if the rule is not CEL, or reads a field that there is not
 */
export function celCost(rule: string, self: CelType, oldSelfIsOptional = false): number {
  const coster = new Coster(self);
  const variables: CelVariables = new Map([
    ["self", coster.at(["self"], self)],
    ["oldSelf", coster.at(["oldSelf"], oldSelfIsOptional ? optionalOf(self) : self)],
  ]);
  return coster.value(parseCel(rule), variables).cost;
}

type Selection = Extract<CelExpression, { is: "select" }>;

class Coster implements CelEstimator {
  readonly #root: CelType;

  constructor(root: CelType) {
    this.#root = root;
  }

  value(expression: CelExpression, variables: CelVariables): CelValue {
    switch (expression.is) {
      case "string":
        return { cost: 0, type: text, size: expression.size, leastSize: expression.size, path: [] };
      case "scalar":
        return { ...this.at([], scalar, 0), ...(expression.number !== undefined && { number: expression.number }) };
      case "identifier":
        return variables.get(expression.name) ?? this.at([expression.name], unknown);
      case "select":
        return this.#select(expression, this.value(expression.of, variables));
      case "list": {
        const items = expression.items.map((item) => this.value(item, variables));
        const size = items.length;
        return { cost: 10 + costOf(items), type: listOf(items[0]?.type ?? unknown), size, leastSize: size, path: [] };
      }
      case "map": {
        const parts = expression.entries.flat().map((part) => this.value(part, variables));
        const size = expression.entries.length;
        return { cost: 30 + costOf(parts), type: mapOf(parts[1]?.type ?? unknown), size, leastSize: size, path: [] };
      }
      case "call":
        return this.#call(expression, variables);
    }
  }

  /** A value whose size, if it is a part of a variable, is that which the variable's type says. */
  at(path: readonly string[], type: CelType, cost = 1): CelValue {
    const size = this.#sizeAt(path);
    if (size !== undefined) return { cost, type, size, leastSize: 0, path };
    return isScalar(type)
      ? { cost, type, size: 1, leastSize: 1, path }
      : { cost, type, size: Number.POSITIVE_INFINITY, leastSize: 0, path };
  }

  /** The API server looks up every path from the rule's own value, be it that of another. */
  #sizeAt([variable, ...names]: readonly string[]): number | undefined {
    if (variable === undefined) return undefined;
    let type: CelType | undefined = this.#root;
    for (const name of names) type = name === "@items" || name === "@values" ? type?.item : partOf(type, name);
    return type === undefined ? undefined : (type.size ?? 0);
  }

  #select({ field, optional }: Selection, of: CelValue): CelValue {
    const { type } = of;
    const path = [...of.path, field];
    if (optional)
      return this.at([], optionalOf(fieldOf(type.is === "optional" ? type.item : type, field)), of.cost + 1);
    if (type.is === "optional") return this.at(path, optionalOf(fieldOf(type.item, field)), of.cost);
    const isRead = type.is === "object" || type.is === "map";
    return this.at(path, fieldOf(type, field), isRead ? of.cost + 1 : of.cost);
  }

  #call(call: CelCallExpression, variables: CelVariables): CelValue {
    const { name, of, with: args } = call;
    if (of?.is === "identifier" && packages.has(of.name) && !variables.has(of.name)) {
      return this.#call({ is: "call", name: `${of.name}.${name}`, with: args }, variables);
    }
    const macro = macroValue(this, variables, call);
    if (macro !== undefined) return macro;
    const target = of && this.value(of, variables);
    return this.#function(
      name,
      target,
      args.map((arg) => this.value(arg, variables)),
    );
  }

  #function(name: string, of: CelValue | undefined, args: readonly CelValue[]): CelValue {
    const given = (of?.cost ?? 0) + costOf(args);
    const [first, second, third] = args;
    if (name === "&&" || name === "||") return this.at([], scalar, given);
    if (name === "?:" && first && second && third) {
      const size = Math.max(second.size, third.size);
      return { ...second, cost: first.cost + Math.max(second.cost, third.cost), size, leastSize: 0, path: [] };
    }
    if (name === "[]" && first) {
      const isMap = first.type.is === "map";
      return this.at([...first.path, isMap ? "@values" : "@items"], first.type.item ?? unknown, given + 1);
    }
    const { cost, type, size }: CelCall = functions.get(name)?.({ of, args }) ?? { cost: 1, type: scalar };
    const result = this.at([], type, given + cost);
    return size === undefined ? result : { ...result, size, leastSize: 0 };
  }
}

function costOf(values: readonly CelValue[]): number {
  return values.reduce((sum, { cost }) => sum + cost, 0);
}

function partOf(type: CelType | undefined, name: string): CelType | undefined {
  if (name === "@keys") return type?.is === "map" ? { ...text, size: 0 } : undefined;
  return type?.fields?.get(name);
}

/** @throws SyntaxError if there is no such field */
function fieldOf(type: CelType | undefined, field: string): CelType {
  if (type?.is === "map") return type.item ?? unknown;
  if (type?.fields === undefined) return unknown;
  const found = type.fields.get(field);
  if (found === undefined) throw new SyntaxError(`there is no field ${field}`);
  return found;
}
