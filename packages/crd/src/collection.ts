import { field, type RequiredSchema, type Schema } from "./schema.ts";

export interface ListKeywords {
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface MapKeywords {
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** A list that is written as a whole (`x-kubernetes-list-type: atomic`, which is what a list is if nothing is said). */
export function list<Read, Written>(
  item: Schema<Read, Written>,
  keywords: ListKeywords = {},
): RequiredSchema<readonly Read[], readonly Written[]> {
  return field({ type: "array", items: item.openapi, ...keywords });
}

/**
 * A list whose items the API server tells apart by the fields `keys` when appliers share it; no two items have the
 * same. Those fields are scalars that each item has, be it by default.
 */
export function listMap<const Key extends string, Read extends { readonly [K in Key]: Scalar }, Written>(
  item: Schema<Read, Written>,
  keys: readonly [Key, ...(readonly Key[])],
  keywords: ListKeywords = {},
): RequiredSchema<readonly Read[], readonly Written[]> {
  return field({
    type: "array",
    items: item.openapi,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": keys,
    ...keywords,
  });
}

type Scalar = string | number | boolean;

/**
 * A list of different scalars, which appliers may share. This is how a list's items are said to be unique:
 * a CRD may not have OpenAPI's `uniqueItems`, which takes the square of the list's length to check.
 */
export function set<Read extends Scalar, Written>(
  item: Schema<Read, Written>,
  keywords: ListKeywords = {},
): RequiredSchema<readonly Read[], readonly Written[]> {
  return field({ type: "array", items: item.openapi, "x-kubernetes-list-type": "set", ...keywords });
}

/** Values by names that the user chooses; each may have another applier, unless the map is `atomic`. */
export function map<Read, Written>(
  value: Schema<Read, Written>,
  keywords: MapKeywords = {},
): RequiredSchema<Readonly<Record<string, Read>>, Readonly<Record<string, Written>>> {
  return field({ type: "object", additionalProperties: value.openapi, ...keywords });
}
