/** What is lacking is asked for again at least every 30 s: what was not missed for this long is there. */
const forgetMs = 60_000;

/** The RBAC rules that requests were refused for of late, in the words of `missingRule`. */
export class MissingRules {
  /** When each was last missed. */
  readonly #missedMs = new Map<string, number>();

  /** @returns whether it was not known to be missing */
  add(rule: string): boolean {
    const isNews = !this.list().includes(rule);
    this.#missedMs.set(rule, performance.now());
    return isNews;
  }

  list(): readonly string[] {
    const sinceMs = performance.now() - forgetMs;
    for (const [rule, missedMs] of this.#missedMs) if (missedMs < sinceMs) this.#missedMs.delete(rule);
    return [...this.#missedMs.keys()];
  }
}
