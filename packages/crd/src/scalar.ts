import { field, type RequiredSchema } from "./schema.ts";

/**
 * The formats that the API server checks, but for those that have words of their own (`bytes`, `time`). It ignores
 * all others (`pkg/apiserver/validation/formats.go` of k8s.io/apiextensions-apiserver). `duration` is Go's, such as
 * `1h30m`; `k8s-short-name` and `k8s-long-name` are checked from Kubernetes 1.34 on.
 */
export type StringFormat =
  | "bsonobjectid"
  | "cidr"
  | "creditcard"
  | "date"
  | "duration"
  | "email"
  | "hexcolor"
  | "hostname"
  | "ipv4"
  | "ipv6"
  | "isbn"
  | "isbn10"
  | "isbn13"
  | "k8s-long-name"
  | "k8s-short-name"
  | "mac"
  | "password"
  | "rgbcolor"
  | "ssn"
  | "uri"
  | "uuid"
  | "uuid3"
  | "uuid4"
  | "uuid5";

/** Limits of a string's text, in Unicode characters. */
export interface TextKeywords {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression in RE2's syntax; not anchored unless it says so. */
  readonly pattern?: string;
}

export interface StringKeywords extends TextKeywords {
  readonly format?: StringFormat;
}

export interface NumberKeywords {
  /** The least allowed value. */
  readonly minimum?: number;
  /** The greatest allowed value. */
  readonly maximum?: number;
  /** Whether the minimum itself is refused. @default false */
  readonly exclusiveMinimum?: boolean;
  /** Whether the maximum itself is refused. @default false */
  readonly exclusiveMaximum?: boolean;
  /** What the value must be divisible by, without remainder. */
  readonly multipleOf?: number;
}

export function string(keywords: StringKeywords = {}): RequiredSchema<string> {
  return field({ type: "string", ...keywords });
}

/** Bytes in base64, as the `data` of a Secret has them. */
export function bytes(keywords: Omit<TextKeywords, "pattern"> = {}): RequiredSchema<string> {
  return field({ type: "string", format: "byte", ...keywords });
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

/**
 * A number with a fraction. Kubernetes' API conventions advise against it, because languages differ in how
 * they read and print such numbers; `quantity` has no such doubts.
 */
export function number(keywords: NumberKeywords = {}): RequiredSchema<number> {
  return field({ type: "number", ...keywords });
}

/** A moment, in RFC 3339. */
export function time(): RequiredSchema<string> {
  return field({ type: "string", format: "date-time" });
}

/** One of these strings, or one of these whole numbers. */
export function oneOf<const Value extends string>(...values: AtLeastOne<Value>): RequiredSchema<Value>;
export function oneOf<const Value extends number>(...values: AtLeastOne<Value>): RequiredSchema<Value>;
export function oneOf(...values: AtLeastOne<string | number>): RequiredSchema<string | number> {
  return field({ type: typeof values[0] === "string" ? "string" : "integer", enum: values });
}

type AtLeastOne<Value> = readonly [Value, ...(readonly Value[])];

/** A number or a string, such as a port's number or name, or `"25%"`; the limits are those of the string. */
export function intOrString(keywords: TextKeywords = {}): RequiredSchema<number | string> {
  return field({ "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }], ...keywords });
}

/** An amount with a unit, such as `"500m"` or `"1Gi"`: a `resource.Quantity`, as controller-gen describes it. */
export function quantity(): RequiredSchema<number | string> {
  const amount = "(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))";
  return intOrString({
    pattern: `^(\\+|-)?${amount}(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?${amount}))?$`,
  });
}
