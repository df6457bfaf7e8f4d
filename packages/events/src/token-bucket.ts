/** Lets so many through at once, and so many a second after that. */
export class TokenBucket {
  readonly #burst: number;
  readonly #perSecond: number;
  #tokens: number;
  #filledMs: number = performance.now();

  constructor(burst: number, perSecond: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#tokens = burst;
  }

  /** How long until there is a token to take. */
  waitMs(): number {
    const nowMs = performance.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((nowMs - this.#filledMs) / 1_000) * this.#perSecond);
    this.#filledMs = nowMs;
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / this.#perSecond) * 1_000;
  }

  take(): void {
    this.#tokens -= 1;
  }
}
