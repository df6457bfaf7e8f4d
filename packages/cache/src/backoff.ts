import { ApiError } from "@trimtab/client";

/** What has to change before it makes sense to try again. */
type Trouble = "away" | "refused" | "unwell";

/** Longer than any API server asks for in earnest; a broken one may not silence a stream for hours. */
const longestRetryAfterSeconds = 60;

/** A request that lived this long owes nothing to the ones that failed before it. */
const calmSeconds = 10;

/**
 * How long a stream waits before its next request. Each wait is at least a second between the starts
 * of two requests, and random, so that streams that broke off together do not return together.
 *
 * - No answer: 1 to 2 s, so that an API server that comes back is found within 5 s.
 * - 401, 403, 404, which a new role, CRD or token heals: 2 to 4 s.
 * - Any other answer: what its Retry-After asks for, else doubling up to 15 to 30 s.
 */
export class Backoff {
  readonly #secondMs: number;
  readonly #random: () => number;
  #trouble: Trouble | undefined;
  #failures = 0;

  constructor(secondMs = 1_000, random: () => number = Math.random) {
    this.#secondMs = secondMs;
    this.#random = random;
  }

  /** @returns the milliseconds to wait after a request that failed, or was over too soon, after `livedMs` */
  next(error: Error | undefined, livedMs: number): number {
    const trouble = troubleOf(error);
    if (livedMs > calmSeconds * this.#secondMs || trouble !== this.#trouble) this.#failures = 0;
    this.#trouble = trouble;
    this.#failures += 1;
    return this.#secondMs * this.#seconds(trouble, retryAfterOf(error));
  }

  #seconds(trouble: Trouble, retryAfter: number | undefined): number {
    if (retryAfter !== undefined) return Math.min(Math.max(retryAfter, 1), longestRetryAfterSeconds) + this.#random();
    const longest = { away: 2, refused: 4, unwell: 30 }[trouble];
    const doubled = trouble === "refused" ? longest : 2 ** this.#failures;
    return Math.min(doubled, longest) * (0.5 + 0.5 * this.#random());
  }
}

function troubleOf(error: Error | undefined): Trouble {
  if (!(error instanceof ApiError)) return "away";
  return error.statusCode === 401 || error.statusCode === 403 || error.statusCode === 404 ? "refused" : "unwell";
}

function retryAfterOf(error: Error | undefined): number | undefined {
  return error instanceof ApiError ? error.details.retryAfterSeconds : undefined;
}
