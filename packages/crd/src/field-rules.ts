import { celName } from "./cel-name.ts";
import type { Rule } from "./rule.ts";

/** Rules about which fields of an object are set, in the words of controller-gen's markers. */
export interface FieldRules<Field extends string, Optional extends string> {
  /**
   * Each of the fields stays what it was when the object was created, be it absent. Where the object is itself a
   * field that may be left out, its being left out is another matter: name it to its own parent, too.
   */
  immutable(...fields: readonly [Field, ...(readonly Field[])]): this;
  /** One of the fields is set, and no other of them. */
  exactlyOneOf(...fields: readonly [Optional, Optional, ...(readonly Optional[])]): this;
  /** At most one of the fields is set. */
  atMostOneOf(...fields: readonly [Optional, Optional, ...(readonly Optional[])]): this;
  /** At least one of the fields is set. */
  atLeastOneOf(...fields: readonly [Optional, Optional, ...(readonly Optional[])]): this;
}

/** An object's schema, of which the rules need to know the fields that are always there. */
interface ObjectNode {
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly required?: readonly string[];
}

/** That the field is what it was; a field that may be absent is not added later, nor taken away. */
export function unchanged(field: string, { properties = {}, required = [] }: ObjectNode): Rule {
  const name = celName(field);
  const always = required.includes(field) || properties[field]?.default !== undefined;
  const same = `self.${name} == oldSelf.${name}`;
  return {
    rule: always ? same : `has(self.${name}) == has(oldSelf.${name}) && (!has(self.${name}) || ${same})`,
    message: `${field} is immutable`,
    fieldPath: /^\w+$/.test(field) ? `.${field}` : `['${field}']`,
  };
}

const counts = { "==": "exactly", "<=": "at most", ">=": "at least" } as const;

/** That so many of the fields are set: exactly, at most or at least one. */
export function oneSet(relation: keyof typeof counts, fields: readonly string[]): Rule {
  const set = fields.map((field) => `has(self.${celName(field)})`).join(", ");
  return {
    rule: `[${set}].filter(isSet, isSet).size() ${relation} 1`,
    message: `${counts[relation]} one of ${fields.join(", ")} must be set`,
  };
}
