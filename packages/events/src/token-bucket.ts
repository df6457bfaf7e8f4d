export interface TokenBucketOptions {
  /** How many may go at once. */
  readonly burst: number;
  readonly perSecond: number;
}

/** Lets a burst go at once and then a steady rate. */
export class TokenBucket {
  readonly #burst: number;
  readonly #perMs: number;
  #tokens: number;
  #atMs = 0;

  constructor({ burst, perSecond }: TokenBucketOptions) {
    this.#burst = burst;
    this.#perMs = perSecond / 1_000;
    this.#tokens = burst;
  }

  /** Takes a token. @returns 0, or if there was none how many milliseconds to wait before trying again */
  take(nowMs: number): number {
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return Math.ceil((1 - this.#tokens) / this.#perMs);
    this.#tokens -= 1;
    return 0;
  }
}
