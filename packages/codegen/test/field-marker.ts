import type { OpenApi, Schema } from "@trimtab/crd";

/** How a marker of controller-gen is said here, and what the API server makes of it. */
export interface FieldMarker {
  /** As controller-gen calls them, without `kubebuilder:validation:`. */
  readonly markers: readonly string[];
  readonly says: Schema;
  /** Of the field's schema, as the API server has stored it. */
  readonly stored: OpenApi;
  /** A value that is accepted, and read back as it is. */
  readonly accepts?: unknown;
  /** A value that is refused, where in it, and why. */
  readonly refuses?: readonly [value: unknown, path: string, because: string];
}
