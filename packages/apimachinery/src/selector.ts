export type Labels = Readonly<Record<string, string>>;

/** `metav1.LabelSelector`: all of its requirements must hold; an empty one holds for everything. */
export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  readonly values?: readonly string[];
}

/** Whether labels satisfy a selector, by the rules of `metav1.LabelSelectorAsSelector`. */
export function matchesSelector(labels: Labels | undefined, selector: LabelSelector): boolean {
  return requirementsOf(selector).every((requirement) => holds(labels?.[requirement.key], requirement));
}

/** The selector as a query parameter has it: `a=b,c in (d,e),!f`. */
export function formatSelector(selector: LabelSelector): string {
  return requirementsOf(selector).map(format).join(",");
}

function requirementsOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): LabelSelectorRequirement[] {
  const equalities = Object.entries(matchLabels).map(
    ([key, value]): LabelSelectorRequirement => ({ key, operator: "In", values: [value] }),
  );
  return [...equalities, ...matchExpressions];
}

function holds(value: string | undefined, { operator, values = [] }: LabelSelectorRequirement): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
  }
}

function format({ key, operator, values = [] }: LabelSelectorRequirement): string {
  switch (operator) {
    case "In":
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(",")})`;
    case "NotIn":
      return `${key} notin (${values.join(",")})`;
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
  }
}
