import { field, type RequiredSchema, type Schema } from "./schema.ts";

export interface ListKeywords {
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface MapKeywords {
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** A list that is written as a whole. */
export function list<Read, Written>(
  item: Schema<Read, Written>,
  keywords: ListKeywords = {},
): RequiredSchema<readonly Read[], readonly Written[]> {
  return field({ type: "array", items: item.openapi, ...keywords });
}

/** A list whose items the API server tells apart by `keys` when appliers share it; no two items have the same. */
export function listMap<Read, Written>(
  item: Schema<Read, Written>,
  ...keys: readonly [keyof Read & string, ...(readonly (keyof Read & string)[])]
): RequiredSchema<readonly Read[], readonly Written[]> {
  return field({
    type: "array",
    items: item.openapi,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": keys,
  });
}

/** A list of different scalars, which appliers may share. */
export function set<Read extends string | number | boolean, Written>(
  item: Schema<Read, Written>,
  keywords: ListKeywords = {},
): RequiredSchema<readonly Read[], readonly Written[]> {
  return field({ type: "array", items: item.openapi, "x-kubernetes-list-type": "set", ...keywords });
}

/** Values by names that the user chooses. */
export function map<Read, Written>(
  value: Schema<Read, Written>,
  keywords: MapKeywords = {},
): RequiredSchema<Readonly<Record<string, Read>>, Readonly<Record<string, Written>>> {
  return field({ type: "object", additionalProperties: value.openapi, ...keywords });
}
