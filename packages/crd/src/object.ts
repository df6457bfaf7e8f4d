import type { MapKeywords } from "./collection.ts";
import type { FieldRules } from "./field-rules.ts";
import { field, type ReadOf, type RequiredSchema, type Schema, type WrittenOf } from "./schema.ts";

/** The fields of an object, by name. */
export type Fields = Readonly<Record<string, Schema>>;

/** The object that fields make once the API server has filled in their defaults. */
export type ReadFields<F extends Fields> = Simplify<
  { readonly [K in keyof F as F[K]["presence"] extends "optional" ? never : K]: ReadOf<F[K]> } & {
    readonly [K in keyof F as F[K]["presence"] extends "optional" ? K : never]?: ReadOf<F[K]>;
  }
>;

/** The object as a user may write it: defaults may be left out. */
export type WrittenFields<F extends Fields> = Simplify<
  { readonly [K in keyof F as F[K]["presence"] extends "required" ? K : never]: WrittenOf<F[K]> } & {
    readonly [K in keyof F as F[K]["presence"] extends "required" ? never : K]?: WrittenOf<F[K]>;
  }
>;

/** Shows an intersection in editors as the one object it is. */
type Simplify<T> = { [K in keyof T]: T[K] } & {};

/** An object before it is made optional or given a default, which may say what holds among its fields. */
export interface ObjectSchema<F extends Fields, Others = unknown>
  extends RequiredSchema<ReadFields<F> & Others, WrittenFields<F> & Others>,
    FieldRules<keyof F & string, OptionalField<F>> {}

type OptionalField<F extends Fields> = {
  [K in keyof F & string]: F[K]["presence"] extends "optional" ? K : never;
}[keyof F & string];

/** What an object may hold beside the fields that are known. */
export type OtherFields = Readonly<Record<string, unknown>>;

/** An object of these fields; the API server drops all others, unless the object is `open`. */
export function object<F extends Fields>(fields: F, keywords: MapKeywords = {}): ObjectSchema<F> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { presence }]) => presence === "required").map(([name]) => name);
  const node = field({
    type: "object",
    properties: Object.fromEntries(entries.map(([name, { openapi }]) => [name, openapi])),
    ...(required.length > 0 && { required }),
    ...keywords,
  });
  return node as unknown as ObjectSchema<F>;
}

/** An object of these fields that keeps all others as they were written. */
export function openObject<F extends Fields>(fields: F, keywords: MapKeywords = {}): ObjectSchema<F, OtherFields> {
  const { openapi } = object(fields, keywords);
  return field({ ...openapi, "x-kubernetes-preserve-unknown-fields": true }) as unknown as ObjectSchema<F, OtherFields>;
}

/** An object of a built-in type that the CRD keeps without spelling it out. */
export function opaque<T extends object>(): RequiredSchema<T> {
  return field({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
}

/** Any value that JSON has, kept as it was written. */
export function json<T = unknown>(): RequiredSchema<T> {
  return field({ "x-kubernetes-preserve-unknown-fields": true });
}

/** An object or a map that has one applier at a time: it is written as a whole. */
export function atomic<Read extends object, Written extends object>(
  schema: RequiredSchema<Read, Written> & (Read extends readonly unknown[] ? never : unknown),
): RequiredSchema<Read, Written> {
  return field({ ...schema.openapi, "x-kubernetes-map-type": "atomic" });
}
