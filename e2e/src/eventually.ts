import { setTimeout as sleep } from "node:timers/promises";

const patienceMs = 40_000;
const pauseMs = 200;

/**
 * Resolves once `lacking` finds nothing lacking.
 *
 * @throws {Error} after 40 s, with what was lacking last; at once if `lacking` throws
 */
export async function eventually(lacking: () => Promise<string | undefined>, signal: AbortSignal): Promise<void> {
  const end = performance.now() + patienceMs;
  for (let last = await lacking(); last !== undefined; last = await lacking()) {
    if (performance.now() > end) throw new Error(last);
    await sleep(pauseMs, undefined, { signal });
  }
}
