import type { Controller } from "@trimtab/controller";
import { LeaseLostError } from "@trimtab/leader-election";
import type { Logger } from "pino";
import { pause } from "./pause.ts";

export interface RunControllersOptions {
  /** How long reconciles under way may take to end. */
  readonly graceMs: number;
  readonly log: Logger;
}

/** Thrown where reconciles have not ended although they were aborted. */
export class AbandonedError extends Error {
  override readonly name = "AbandonedError";
}

/** A reconcile that has not ended this long after its signal aborted will not end by it. */
const abandonMs = 2_000;

/**
 * Runs controllers until the signal aborts, or one of them fails. Then no more keys are taken, and the reconciles
 * under way may end: for as long as the grace is, or not at all if the lease was lost, for then each write is one too many.
 *
 * @throws AbandonedError if reconciles go on all the same; what a controller failed with
 */
export async function runControllers(
  controllers: readonly Controller[],
  signal: AbortSignal,
  { graceMs, log }: RunControllersOptions,
): Promise<void> {
  const stop = new AbortController();
  const hurry = new AbortController();
  const failures: unknown[] = [];
  const onAbort = (): void => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const run = async (controller: Controller): Promise<void> => {
    try {
      await controller.run(stop.signal, hurry.signal);
    } catch (error) {
      failures.push(error);
      stop.abort(error);
    }
  };
  const ended = new AbortController();
  const running = Promise.all(controllers.map(run)).then(() => ended.abort());
  try {
    await aborted(stop.signal, ended.signal);
    if (!(stop.signal.reason instanceof LeaseLostError)) await pause(graceMs, ended.signal);
    if (!ended.signal.aborted) {
      if (graceMs > 0) log.warn({ reconciles: underWay(controllers) }, "reconciles have not ended: aborting them");
      hurry.abort(stop.signal.reason);
      await pause(abandonMs, ended.signal);
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  if (!ended.signal.aborted)
    throw new AbandonedError(`these reconciles go on although they were aborted: ${underWay(controllers).join(", ")}`);
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
