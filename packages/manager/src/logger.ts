import { type DestinationStream, type LogFn, type Logger, pino, stdTimeFunctions } from "pino";
import { plainError } from "./plain-error.ts";
import { redact } from "./redact.ts";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];
export const logFormats = ["json", "pretty"] as const;
export type LogFormat = (typeof logFormats)[number];

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
}

/**
 * One JSON object a line on stdout, or lines for a person. Written at once, so that nothing is lost when the process
 * ends; levels are words and times RFC 3339, as collectors of logs read them without being told how.
 */
export async function createLogger({ level, format }: LoggerOptions, destination?: DestinationStream): Promise<Logger> {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => plainError(error), error: (error: unknown) => plainError(error) },
      hooks: { logMethod: redacting },
    },
    destination ?? (format === "pretty" ? await prettyStream() : pino.destination({ fd: 1, sync: true })),
  );
}

/** Of an error that is logged alone, pino makes the message the line's. */
function redacting(this: Logger, [first, ...rest]: Parameters<LogFn>, method: LogFn): void {
  const words = rest.map((word: unknown) => (typeof word === "string" ? redact(word) : word));
  if (first instanceof Error) method.call(this, { err: first }, redact(first.message), ...words);
  else method.call(this, typeof first === "string" ? redact(first) : first, ...(words as []));
}

async function prettyStream(): Promise<DestinationStream> {
  const { prettyStream: make } = await import("./pretty-stream.ts");
  return make();
}
