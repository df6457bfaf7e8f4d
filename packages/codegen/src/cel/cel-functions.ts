import {
  bytes,
  type CelCall,
  type CelValue,
  listOf,
  opaque,
  optionalOf,
  product,
  scalar,
  text,
  unknown,
} from "./cel-value.ts";

/** What a call of a function costs; `of` is what stands before the dot, if anything does. */
type Estimate = (call: {
  readonly of: CelValue | undefined;
  readonly args: readonly CelValue[];
}) => CelCall | undefined;

/** Going through a text costs a tenth of its length, and matching it a quarter of the pattern's length for each. */
function traversal(size: number, times = 1): number {
  return Math.ceil(size * 0.1 * times);
}

function matching(subject: CelValue, pattern: CelValue): number {
  return product(traversal(subject.size + 1), Math.ceil(pattern.size * 0.25));
}

const nominal =
  (type = scalar): Estimate =>
  () => ({ cost: 1, type });
const reading =
  (type = scalar, times = 1): Estimate =>
  ({ args: [value] }) =>
    value && { cost: traversal(value.size, times), type };
const copying: Estimate = ({ of }) => of && { cost: traversal(of.size), type: text, size: of.size };
const comparing: Estimate = ({ args: [left, right] }) => {
  if (left === undefined || right === undefined) return undefined;
  const isText = [left, right].some(({ type }) => ["string", "bytes", "dyn"].includes(type.is));
  return { cost: isText ? Math.max(1, traversal(Math.min(left.size, right.size))) : 1, type: scalar };
};
const equality: Estimate = ({ args: [left, right] }) =>
  left && right && { cost: traversal(Math.min(left.size, right.size)), type: scalar };
const finding =
  (type = text): Estimate =>
  ({ of, args: [pattern] }) =>
    of && pattern && { cost: matching(of, pattern), type, size: of.size };
const searching =
  (type?: typeof scalar): Estimate =>
  ({ of }) => {
    if (of === undefined) return undefined;
    if (of.type.is !== "list") return { cost: traversal(of.size), type: type ?? unknown };
    const item = of.type.item ?? unknown;
    const isText = item.is === "string" || item.is === "bytes";
    const each = 1 + (isText ? traversal(item.size ?? Number.POSITIVE_INFINITY) : 0);
    return { cost: product(of.size, each), type: type ?? item };
  };
const arithmetic: Estimate = ({ args: [left, right] }) => ({ cost: 1, type: (left ?? right)?.type ?? scalar });
const comparingSets =
  (times: number): Estimate =>
  ({ args: [left, right] }) =>
    left && right && { cost: product(left.size, right.size) * times + 1, type: scalar };
/** A list made of another costs its own making, too. */
const listing =
  (cost: (of: CelValue) => number): Estimate =>
  ({ of }) =>
    of && { cost: cost(of) + 11, type: of.type, size: cost(of) };
const slicing: Estimate = ({ of, args: [start, end] }) => {
  if (of === undefined) return undefined;
  const size = Math.max(0, (end?.number ?? of.size) - (start?.number ?? 0));
  return { cost: size + 11, type: of.type, size };
};
const counting: Estimate = ({ args: [end] }) => {
  const size = end?.number ?? Number.POSITIVE_INFINITY;
  return { cost: size + 11, type: listOf(scalar), size };
};

/** Sorting compares each item with each, as far as anybody knows. */
export function sortingCost({ type, size }: CelValue): number {
  const isText = type.item?.is === "string" || type.item?.is === "bytes";
  return Math.ceil(product(size, size) * (isText ? 2.1 : 2));
}

const containing =
  (cost: number): Estimate =>
  ({ args: [value] }) =>
    value && { cost: cost + (value.type.is === "string" ? traversal(value.size) : 0), type: scalar };

const plus: Estimate = ({ args: [left, right] }) => {
  if (left === undefined || right === undefined) return undefined;
  const { type } = left.type.is === "dyn" ? right : left;
  const size = left.size + right.size;
  if (type.is === "list") return { cost: 1, type, size };
  return type.is === "scalar" ? { cost: 1, type } : { cost: traversal(size), type, size };
};

const isIn: Estimate = ({ args: [, container] }) =>
  container && { cost: container.type.is === "map" ? 1 : container.size, type: scalar };

const replacing: Estimate = ({ of, args: [from, to] }) => {
  if (of === undefined || from === undefined || to === undefined) return undefined;
  return { cost: traversal(of.size, 2), type: text, size: sizeAfterReplacing(of.size, from, to) };
};

function sizeAfterReplacing(size: number, from: CelValue, to: CelValue): number {
  if (from.leastSize === 0) return product(size + 1, to.size) + size;
  return to.size <= from.leastSize ? size : product(Math.ceil(size / from.leastSize), to.size);
}

const joining: Estimate = ({ of, args: [separator] }) => {
  if (of === undefined) return undefined;
  const items = product(of.size, of.type.item?.size ?? Number.POSITIVE_INFINITY);
  const size = items + product(separator?.size ?? 0, Math.max(0, of.size - 1));
  return { cost: traversal(size), type: text, size };
};

/**
 * Functions and operators whose cost is not 1, or that make something else than a scalar. A name that is the
 * same for several functions stands for all of them, as it does for the API server
 * (`EstimateCallCost` of k8s.io/apiserver's `pkg/cel/library/cost.go`, `functionCost` of cel-go's `checker/cost.go`).
 */
export const functions: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ["==", (call) => (call.args.every(({ type }) => type.is === "opaque") ? { cost: 1, type: scalar } : equality(call))],
  ["!=", equality],
  ...["<", "<=", ">", ">="].map((name) => [name, comparing] as const),
  ["+", plus],
  ...["-", "*", "/", "%"].map((name) => [name, arithmetic] as const),
  ["in", isIn],
  [
    "contains",
    ({ of, args: [part] }) => of && part && { cost: product(traversal(of.size), traversal(part.size)), type: scalar },
  ],
  ["startsWith", reading()],
  ["endsWith", reading()],
  [
    "matches",
    ({ of, args }) => {
      const [subject, pattern] = of === undefined ? args : [of, args[0]];
      return subject && pattern && { cost: matching(subject, pattern), type: scalar };
    },
  ],
  ["find", finding()],
  ["findAll", finding(listOf(text))],
  [
    "string",
    ({ args: [value] }) =>
      value &&
      (value.type.is === "bytes"
        ? { cost: traversal(value.size), type: text, size: value.size }
        : { cost: 1, type: text }),
  ],
  ["bytes", ({ args: [value] }) => value && { cost: traversal(value.size), type: bytes, size: value.size * 4 }],
  ["format", ({ of }) => of && { cost: traversal(of.size), type: text }],
  [
    "strings.quote",
    ({ args: [value] }) => value && { cost: traversal(value.size), type: text, size: value.size * 2 + 2 },
  ],
  ...["isSorted", "indexOf", "lastIndexOf", "includes"].map((name) => [name, searching(scalar)] as const),
  ...["sum", "min", "max"].map((name) => [name, searching()] as const),
  ...["lowerAscii", "upperAscii", "substring", "trim"].map((name) => [name, copying] as const),
  ["charAt", nominal(text)],
  ["replace", replacing],
  ["split", ({ of }) => of && { cost: traversal(of.size, 2), type: listOf(text), size: of.size }],
  ["join", joining],
  ["url", ({ args: [value] }) => value && { cost: traversal(value.size), type: opaque, size: value.size }],
  ...["ip", "cidr", "quantity", "semver"].map((name) => [name, reading(opaque)] as const),
  ...["isIP", "isCIDR", "isQuantity", "isSemver"].map((name) => [name, reading()] as const),
  ["ip.isCanonical", reading(scalar, 2)],
  ...["add", "sub", "masked"].map((name) => [name, nominal(opaque)] as const),
  ["containsIP", containing(4)],
  ["containsCIDR", containing(7)],
  ["format.named", nominal(optionalOf(opaque))],
  ["validate", ({ args: [value] }) => value && { cost: traversal(value.size) * 32, type: optionalOf(listOf(text)) }],
  ...["getScheme", "getHostname", "getHost", "getPort", "getEscapedPath"].map((name) => [name, nominal(text)] as const),
  ["getQuery", nominal(unknown)],
  ["sets.contains", comparingSets(1)],
  ["sets.intersects", comparingSets(1)],
  ["sets.equivalent", comparingSets(2)],
  ["reverse", listing(({ size }) => size)],
  ["flatten", listing(({ size }) => size)],
  ["slice", slicing],
  ["lists.range", counting],
  ["sort", ({ of }) => of && { cost: sortingCost(of) + 11, type: of.type, size: of.size }],
  ["distinct", listing(({ size }) => product(size, size) * 2)],
  ["optional.of", ({ args: [value] }) => value && { cost: 1, type: optionalOf(value.type) }],
  ["optional.ofNonZeroValue", ({ args: [value] }) => value && { cost: 1, type: optionalOf(value.type) }],
  ["optional.none", nominal(optionalOf(unknown))],
  ["or", ({ of }) => of && { cost: 1, type: of.type }],
  ["orValue", ({ of }) => of && { cost: 1, type: of.type.item ?? unknown }],
  ["value", ({ of }) => of && { cost: 1, type: of.type.item ?? unknown }],
  ["[?]", ({ args: [container] }) => container && { cost: 1, type: optionalOf(container.type.item ?? unknown) }],
  ["dyn", ({ args: [value] }) => value && { cost: 1, type: unknown, size: value.size }],
]);
