import { apiVersionOf } from "@trimtab/apimachinery";
import type { CustomResourceType } from "./custom-resource.ts";

/** What a kind has once, however many versions it has. */
const shared = [
  "group",
  "kind",
  "plural",
  "singular",
  "listKind",
  "scope",
  "shortNames",
  "categories",
  "crdMetadata",
] as const satisfies readonly (keyof CustomResourceType)[];

/** The versions of one kind. */
export type Versions = readonly [CustomResourceType, ...(readonly CustomResourceType[])];

/**
 * Holds the versions of one CRD to what they must have in common.
 *
 * @throws naming two that differ, or that are the same version
 */
export function expectOneKind([first, ...others]: Versions): void {
  const seen = new Set([first.version]);
  for (const type of others) {
    for (const property of shared) expectSame(property, first, type);
    if (seen.has(type.version)) throw new Error(`there are two definitions of ${nameOf(type)}: leave one of them out`);
    seen.add(type.version);
  }
}

function expectSame(property: (typeof shared)[number], a: CustomResourceType, b: CustomResourceType): void {
  const [one, other] = [JSON.stringify(a[property]), JSON.stringify(b[property])];
  if (one === other) return;
  throw new Error(
    `versions of one CRD must have the same ${property}: it is ${one} in ${nameOf(a)} and ${other} in ${nameOf(b)}`,
  );
}

/**
 * The version that objects are stored in.
 *
 * @throws if none of several says `storage: true`, or more than one does
 */
export function storedVersion(types: Versions): CustomResourceType {
  const [first, second] =
    types.length === 1 ? types.filter(({ storage = true }) => storage) : types.filter(({ storage }) => storage);
  if (first === undefined) {
    throw new Error(
      `objects must be stored in one version: say storage: true of one of ${types.map(nameOf).join(", ")}`,
    );
  }
  if (second !== undefined) {
    throw new Error(
      `objects are stored in one version, yet both ${nameOf(first)} and ${nameOf(second)} say storage: true`,
    );
  }
  return first;
}

function nameOf(type: CustomResourceType): string {
  return `${apiVersionOf(type)} ${type.kind}`;
}
