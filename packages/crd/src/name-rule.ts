import type { Rule } from "./rule.ts";

/**
 * Refuses an object whose name is longer: what is built from it, such as a label's value (63 characters),
 * would be refused later, where nobody sees it. For the `rules` of a custom resource.
 */
export function nameAtMost(length: number, because: string): Rule {
  return {
    rule: `size(self.metadata.name) <= ${length}`,
    message: `metadata.name must have at most ${length} characters: ${because}`,
  };
}
