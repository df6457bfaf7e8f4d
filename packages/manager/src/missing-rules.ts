import { missingRule } from "@trimtab/controller";

/** What is lacking is asked for again at least every 30 s: what was not missed for this long is there. */
const forgetMs = 60_000;

/** The RBAC rules that requests were refused for of late. */
export class MissingRules {
  /** When each was last missed. */
  readonly #missedMs = new Map<string, number>();

  /** @returns whether the error is about a rule that is known to be missing already */
  isOld(error: Error): boolean {
    const rule = missingRule(error);
    if (rule === undefined) return false;
    const isOld = this.list().includes(rule);
    this.#missedMs.set(rule, performance.now());
    return isOld;
  }

  list(): readonly string[] {
    const sinceMs = performance.now() - forgetMs;
    for (const [rule, missedMs] of this.#missedMs) if (missedMs < sinceMs) this.#missedMs.delete(rule);
    return [...this.#missedMs.keys()];
  }
}
