import type { ObjectMeta } from "@trimtab/apimachinery";
import { type Fields, object, type ReadFields, type WrittenFields } from "./object.ts";
import { field, type RequiredSchema } from "./schema.ts";

/** What every embedded resource has: the API server checks it as it does in an object of its own. */
export interface EmbeddedResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: Partial<ObjectMeta>;
}

/**
 * A Kubernetes object within another, such as a manifest to apply, kept as it was written; or, where `fields` are
 * given, one of which the API server keeps these beside `apiVersion`, `kind` and `metadata`.
 */
export function embeddedResource<T extends EmbeddedResource>(): RequiredSchema<T>;
export function embeddedResource<F extends Fields>(
  fields: F,
): RequiredSchema<EmbeddedResource & ReadFields<F>, EmbeddedResource & WrittenFields<F>>;
export function embeddedResource(fields?: Fields): RequiredSchema<unknown> {
  const content =
    fields === undefined ? { type: "object", "x-kubernetes-preserve-unknown-fields": true } : object(fields).openapi;
  return field({ ...content, "x-kubernetes-embedded-resource": true });
}
