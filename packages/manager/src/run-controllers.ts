import { setTimeout as sleep } from "node:timers/promises";
import type { Controller } from "@trimtab/controller";
import type { Logger } from "pino";

export interface RunControllersOptions {
  /** How long reconciles under way may take to end. */
  readonly graceMs: number;
  /** Aborts when the lease is lost. */
  readonly lost: AbortSignal;
  readonly log: Logger;
}

/** Thrown where reconciles have not ended although they were aborted. */
export class AbandonedError extends Error {
  override readonly name = "AbandonedError";
}

/** A reconcile that has not ended this long after its signal aborted will not end by it. */
const abandonMs = 2_000;
/** What Node takes a longer time for is 1 ms. */
const longestMs = 2 ** 31 - 1;

/**
 * Runs controllers until the signal aborts, the lease is lost, or one of them fails. Then no more keys are taken, and the
 * reconciles under way may end: for as long as the grace is, or until the lease is lost, for then each write is one too many.
 *
 * @throws AbandonedError if reconciles go on all the same; what a controller failed with
 */
export async function runControllers(
  controllers: readonly Controller[],
  signal: AbortSignal,
  { graceMs, lost, log }: RunControllersOptions,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, lost, failed.signal]);
  const hurry = new AbortController();
  const failures: unknown[] = [];
  const run = async (controller: Controller): Promise<void> => {
    try {
      await controller.run(stop, hurry.signal);
    } catch (error) {
      failures.push(error);
      failed.abort(error);
    }
  };
  const ended = new AbortController();
  const running = Promise.all(controllers.map(run)).then(() => ended.abort());
  await aborted(stop, ended.signal);
  await sleep(Math.min(graceMs, longestMs), undefined, { signal: AbortSignal.any([ended.signal, lost]) }).catch(
    () => undefined,
  );
  if (!ended.signal.aborted) {
    const why = lost.aborted ? "the lease is lost" : "reconciles have not ended";
    const reconciles = underWay(controllers);
    if (reconciles.length > 0) log.warn({ reconciles }, `${why}: aborting reconciles`);
    hurry.abort(lost.reason ?? stop.reason);
    await sleep(abandonMs, undefined, { signal: ended.signal }).catch(() => undefined);
  }
  if (!ended.signal.aborted)
    throw new AbandonedError(`these reconciles go on although they were aborted: ${underWay(controllers).join(", ")}`, {
      ...(lost.aborted && { cause: lost.reason }),
    });
  await running;
  if (failures.length > 0) throw failures[0];
}

function underWay(controllers: readonly Controller[]): readonly string[] {
  return controllers.flatMap((controller) => controller.stuck(0).map((key) => `${controller.name} ${key}`));
}

async function aborted(...signals: readonly AbortSignal[]): Promise<void> {
  const any = AbortSignal.any([...signals]);
  if (!any.aborted) await new Promise((resolve) => any.addEventListener("abort", resolve, { once: true }));
}
