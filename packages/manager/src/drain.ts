import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";

export interface DrainOptions {
  /** Asks the work to end. */
  readonly signal: AbortSignal;
  /** Aborted when the grace has passed. */
  readonly hurry: AbortController;
  readonly graceMs: number;
  readonly log: Logger;
}

/** What does not end when it is aborted is left behind after this long. */
const abandonMs = 2_000;

/** Resolves once `work` has ended, or has been given its time to and has not. */
export async function drained(work: Promise<unknown>, { signal, hurry, graceMs, log }: DrainOptions): Promise<void> {
  const ended = new AbortController();
  const limit = async (): Promise<void> => {
    await aborted(AbortSignal.any([signal, ended.signal]));
    await sleep(graceMs, undefined, { signal: ended.signal });
    log.warn(`reconciles have not ended within ${graceMs / 1_000} s: aborting them`);
    hurry.abort();
    await sleep(abandonMs, undefined, { signal: ended.signal });
    log.error("reconciles go on although they were aborted: leaving them behind");
  };
  try {
    await Promise.race([work, limit().catch(() => work)]);
  } finally {
    ended.abort();
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}
