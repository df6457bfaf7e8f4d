/** A rule in CEL about `self`; the API server refuses a write for which it does not hold, with the message. */
export interface Rule extends RuleOptions {
  readonly rule: string;
  readonly message: string;
}

/** What may be said of a rule beyond itself and its message. */
export interface RuleOptions {
  /** CEL that makes a message of `self`; the fixed one is given where this fails or is empty. @default the message */
  readonly messageExpression?: string;
  /** What a client reads in the refusal's causes. @default "FieldValueInvalid" */
  readonly reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | "FieldValueDuplicate";
  /** The field that the refusal names, from `self`: `.a.b` or `['a-b']`; no list items. @default `self` as a whole */
  readonly fieldPath?: string;
  /**
   * Checks a rule with `oldSelf` on creation, too: `oldSelf` is then an optional value, as in
   * `oldSelf.hasValue() ? … : …`. Without it such a rule is checked when a value that was there is changed.
   * @default false
   */
  readonly optionalOldSelf?: boolean;
}
