import type { CelType } from "./cel-type.ts";

/** What is known of an expression before it is evaluated. */
export interface CelValue {
  /** The most that evaluating it may cost. */
  readonly cost: number;
  readonly type: CelType;
  /** The most characters, bytes, items or entries; infinite where nobody knows. */
  readonly size: number;
  /** The fewest of them. */
  readonly leastSize: number;
  /** From the variable at its beginning, where the value is a part of one. */
  readonly path: readonly string[];
  /** Of a number that is written out. */
  readonly number?: number;
}

/** What a call makes, beyond what its arguments cost. */
export interface CelCall {
  readonly cost: number;
  readonly type: CelType;
  /** @default what the type says */
  readonly size?: number;
}

export const scalar: CelType = { is: "scalar", leastBytes: 0 };
export const text: CelType = { is: "string", leastBytes: 0 };
export const bytes: CelType = { is: "bytes", leastBytes: 0 };
export const unknown: CelType = { is: "dyn", leastBytes: 0 };
export const opaque: CelType = { is: "opaque", leastBytes: 0 };

export function listOf(item: CelType): CelType {
  return { is: "list", item, leastBytes: 0 };
}

export function mapOf(item: CelType): CelType {
  return { is: "map", item, leastBytes: 0 };
}

export function optionalOf(item: CelType): CelType {
  return { is: "optional", item, leastBytes: 0 };
}

/** Whether every value of the type counts as one, whatever it holds. */
export function isScalar(type: CelType): boolean {
  return type.is === "scalar" || (type.is === "optional" && type.item !== undefined && isScalar(type.item));
}

/** Nothing, however dear, costs nothing. */
export function product(count: number, each: number): number {
  return count === 0 || each === 0 ? 0 : count * each;
}
