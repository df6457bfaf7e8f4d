import { field, type RequiredSchema } from "./schema.ts";

export interface StringKeywords {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression in RE2's syntax; not anchored unless it says so. */
  readonly pattern?: string;
}

export interface NumberKeywords {
  /** The least allowed value. */
  readonly minimum?: number;
  /** The greatest allowed value. */
  readonly maximum?: number;
}

export function string(keywords: StringKeywords = {}): RequiredSchema<string> {
  return field({ type: "string", ...keywords });
}

/** Bytes in base64, as the `data` of a Secret has them. */
export function bytes(): RequiredSchema<string> {
  return field({ type: "string", format: "byte" });
}

export function boolean(): RequiredSchema<boolean> {
  return field({ type: "boolean" });
}

export function int32(keywords: NumberKeywords = {}): RequiredSchema<number> {
  return field({ type: "integer", format: "int32", ...keywords });
}

/** Read as a JavaScript number: exact up to 2^53. */
export function int64(keywords: NumberKeywords = {}): RequiredSchema<number> {
  return field({ type: "integer", format: "int64", ...keywords });
}

/** A moment, in RFC 3339. */
export function time(): RequiredSchema<string> {
  return field({ type: "string", format: "date-time" });
}

/** One of these strings. */
export function oneOf<const Value extends string>(
  ...values: readonly [Value, ...(readonly Value[])]
): RequiredSchema<Value> {
  return field({ type: "string", enum: values });
}

/** A number or a string, such as a port's number or name, or `"25%"`. */
export function intOrString(): RequiredSchema<number | string> {
  return field({ "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] });
}
