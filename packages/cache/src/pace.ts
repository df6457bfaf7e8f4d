/** The times a reflector keeps; tests make them short. */
export interface Pace {
  /**
   * How long the server is asked to keep a watch open, in seconds: this, and up to a quarter more at
   * random. Its end is the only sign of life on which one can rely: bookmarks come about once a minute,
   * and of a kind at rest none at all where etcd reports no progress. Resuming costs one small request.
   */
  readonly watchSeconds: number;
  /** A watch this long without a byte is dead: more than a healthy one lasts, less than a minute. */
  readonly idleTimeoutMs: number;
  /** What a second of backing off lasts. */
  readonly secondMs: number;
}

export const steadyPace: Pace = { watchSeconds: 40, idleTimeoutMs: 55_000, secondMs: 1_000 };
