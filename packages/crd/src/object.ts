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

/** An object of these fields; the API server drops all others. */
export function object<F extends Fields>(fields: F): RequiredSchema<ReadFields<F>, WrittenFields<F>> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { presence }]) => presence === "required").map(([name]) => name);
  return field({
    type: "object",
    properties: Object.fromEntries(entries.map(([name, { openapi }]) => [name, openapi])),
    ...(required.length > 0 && { required }),
  });
}

/** A value of a built-in type that the CRD keeps without spelling it out. */
export function opaque<T extends object>(): RequiredSchema<T> {
  return field({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
}
