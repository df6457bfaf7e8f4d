import { setTimeout as sleep } from "node:timers/promises";
import type { KeptProcess } from "./process-keeper.ts";

const pollMs = 20;

/**
 * Asks again and again until the answer is yes.
 *
 * @throws {Error} if the program that is waited for ends, with the last of what it wrote; the signal's reason, if it aborts
 */
export async function whileRunning(
  program: KeptProcess,
  isDone: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let ended: string | undefined;
  program.exited.then((how) => {
    ended = how;
  });
  for (;;) {
    signal?.throwIfAborted();
    if (ended !== undefined) throw new Error(`${program.name} ended (${ended}):\n${await program.logTail()}`);
    if (await isDone()) return;
    await sleep(pollMs, undefined, { ...(signal && { signal }) });
  }
}
