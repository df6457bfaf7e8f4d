import type { Logger } from "pino";

export interface Shutdown {
  /** Aborts when the process is to end. */
  readonly signal: AbortSignal;
  /** 0 if it was asked to; 1 if something that nobody caught made it. */
  readonly exitCode: number;
}

/**
 * Aborts on the first SIGTERM or SIGINT; the second ends the process at once. What nobody has caught, such as
 * the rejection of a promise that was not awaited, is logged and ends the process in the same orderly way, with exit code 1.
 */
export function shutdownSignal(log: Logger): Shutdown {
  const controller = new AbortController();
  let asked = false;
  let exitCode = 0;
  const stop = (signal: NodeJS.Signals): void => {
    // The code that a shell gives a process which the signal ended.
    if (asked) process.exit(signal === "SIGINT" ? 130 : 143);
    asked = true;
    log.info({ signal }, "stopping: no more work is taken");
    controller.abort();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const uncaught = (err: unknown): void => {
    log.fatal({ err }, "nobody caught this: stopping");
    exitCode = 1;
    controller.abort();
  };
  process.on("uncaughtException", uncaught);
  process.on("unhandledRejection", uncaught);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
  };
}
