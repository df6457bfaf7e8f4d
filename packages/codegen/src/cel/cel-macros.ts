import type { CelExpression } from "./cel-expression.ts";
import { sortingCost } from "./cel-functions.ts";
import type { CelType } from "./cel-type.ts";
import { type CelValue, listOf, mapOf, optionalOf, product, scalar, text, unknown } from "./cel-value.ts";

export type CelCallExpression = Extract<CelExpression, { is: "call" }>;
/** What names stand for; reading one costs 1. */
export type CelVariables = ReadonlyMap<string, CelValue>;

/** What a macro needs to know of what it is written with. */
export interface CelEstimator {
  value(expression: CelExpression, variables: CelVariables): CelValue;
  /** A value whose size, if it is a part of a variable, is that which the variable's type says. */
  at(path: readonly string[], type: CelType, cost?: number): CelValue;
}

type Macro = (estimator: CelEstimator, variables: CelVariables, call: CelCallExpression) => CelValue | undefined;

/**
 * What a macro costs, which is what the loop that it stands for costs (cel-go's `parser/macro.go`); nothing if the
 * call is of a function.
 */
export function macroValue(
  estimator: CelEstimator,
  variables: CelVariables,
  call: CelCallExpression,
): CelValue | undefined {
  return macros.get(call.name)?.(estimator, variables, call);
}

/** A loop over a list or a map: what each turn costs, given what the expressions within it cost. */
interface Loop {
  readonly turn: (...costs: readonly number[]) => number;
  /** What begins and ends it. */
  readonly around: number;
  /** What it makes, of what it goes through and of its last expression; a scalar if this is not said. */
  readonly makes?: (range: CelValue, last: CelType) => CelType;
}

const sum = (costs: readonly number[]): number => costs.reduce((total, cost) => total + cost, 0);
/** The last expression makes an item; one before it says whether there is to be one. */
const adding =
  (perItem: number): Loop["turn"] =>
  (...costs) =>
    sum(costs) + perItem;

function loop({ turn, around, makes }: Loop, variableCount: 1 | 2, mostArguments = variableCount + 1): Macro {
  return (estimator, variables, { of, with: args }) => {
    const names = args.slice(0, variableCount).map((name) => (name.is === "identifier" ? name.name : undefined));
    if (of === undefined || args.length <= variableCount || args.length > mostArguments) return undefined;
    if (names.includes(undefined)) return undefined;
    const range = estimator.value(of, variables);
    const entries = variableCount === 1 ? [entryOf(estimator, range)] : pairOf(estimator, range);
    const inner = new Map([...variables, ...entries.map((entry, place) => [names[place] ?? "", entry] as const)]);
    const parts = args.slice(variableCount).map((part) => estimator.value(part, inner));
    const cost = range.cost + around + product(range.size, turn(...parts.map((part) => part.cost)));
    if (makes === undefined) return { ...estimator.at([], scalar, cost), size: 1 };
    const type = makes(range, parts.at(-1)?.type ?? unknown);
    return { ...estimator.at([], type, cost), size: range.size };
  };
}

/** What a loop with one variable sees: the items of a list, the keys of a map. */
function entryOf(estimator: CelEstimator, { type, path }: CelValue): CelValue {
  if (type.is === "list") return estimator.at([...path, "@items"], type.item ?? unknown);
  return estimator.at([...path, "@keys"], type.is === "map" ? text : unknown);
}

function pairOf(estimator: CelEstimator, { type, path }: CelValue): readonly CelValue[] {
  const item = type.item ?? unknown;
  if (type.is === "list") return [estimator.at([...path, "@indices"], scalar), estimator.at([...path, "@items"], item)];
  return [estimator.at([...path, "@keys"], text), estimator.at([...path, "@values"], item)];
}

const all: Loop = { turn: (cost = 0) => cost + 3, around: 1 };
const exists: Loop = { turn: (cost = 0) => cost + 4, around: 1 };
const existsOne: Loop = { turn: (cost = 0) => cost + 2, around: 2 };
const mapping: Loop = { turn: adding(12), around: 11, makes: (_range, last) => listOf(last) };
const filtering: Loop = { turn: adding(13), around: 11, makes: ({ type }) => listOf(entryTypeOf(type)) };
const mappingEntries: Loop = { turn: adding(3), around: 31, makes: (_range, last) => mapOf(last) };

function entryTypeOf(type: CelType): CelType {
  if (type.is === "map") return text;
  return type.item ?? unknown;
}

const has: Macro = (estimator, variables, { of, with: [selection, ...rest] }) => {
  if (of !== undefined || selection?.is !== "select" || rest.length > 0) return undefined;
  // Reading the field makes sure that there is one; to ask whether it is set costs only what leads to it.
  estimator.value(selection, variables);
  return estimator.at([], scalar, estimator.value(selection.of, variables).cost);
};

const optionally =
  (wrap: (type: CelType) => CelType, wrapping: number): Macro =>
  (estimator, variables, { of, with: [name, body] }) => {
    if (of === undefined || name?.is !== "identifier" || body === undefined) return undefined;
    const target = estimator.value(of, variables);
    const value = estimator.at([], target.type.item ?? unknown);
    const result = estimator.value(body, new Map(variables).set(name.name, value));
    return estimator.at([], wrap(result.type), 2 * (target.cost + 1) + 10 + result.cost + wrapping);
  };

/** Sorts by what the expression makes of each item. */
const sortBy: Macro = (estimator, variables, call) => {
  const keys = loop(mapping, 1)(estimator, variables, call);
  if (keys === undefined || call.of === undefined) return undefined;
  const { type, size } = estimator.value(call.of, variables);
  return { ...estimator.at([], type, keys.cost + sortingCost(keys) + 23), size };
};

const macros: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ["has", has],
  ["all", either(loop(all, 1), loop(all, 2))],
  ["exists", either(loop(exists, 1), loop(exists, 2))],
  ["exists_one", loop(existsOne, 1)],
  ["existsOne", either(loop(existsOne, 1), loop(existsOne, 2))],
  ["map", loop(mapping, 1, 3)],
  ["filter", loop(filtering, 1)],
  ["transformList", loop(mapping, 2, 4)],
  ["transformMap", loop(mappingEntries, 2, 4)],
  ["transformMapEntry", loop(mappingEntries, 2, 4)],
  ["sortBy", sortBy],
  ["optMap", optionally(optionalOf, 1)],
  ["optFlatMap", optionally((type) => type, 0)],
]);

function either(first: Macro, second: Macro): Macro {
  return (...given) => first(...given) ?? second(...given);
}
