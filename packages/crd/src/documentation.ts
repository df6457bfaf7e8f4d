/** What OpenAPI says of a value beyond its description, to those who read the schema; the API server ignores it. */
export interface Documentation<Value = unknown> {
  /** A name for people. @default none */
  readonly title?: string;
  /** A value as a user may write it. @default none */
  readonly example?: Value;
  /** Where more is to be read. @default nowhere */
  readonly externalDocs?: { readonly url: string; readonly description?: string };
}
