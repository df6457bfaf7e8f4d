import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import { plainError } from "./plain-error.ts";

export const logLevels = ["trace", "debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];
export const logFormats = ["json", "pretty"] as const;
export type LogFormat = (typeof logFormats)[number];

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
}

/** One JSON object a line on stdout, or lines for a person. */
export async function createLogger({ level, format }: LoggerOptions): Promise<Logger> {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: plainError },
    },
    format === "pretty" ? await prettyStream() : pino.destination({ fd: 1, sync: true }),
  );
}

async function prettyStream(): Promise<DestinationStream> {
  const { prettyStream: make } = await import("./pretty-stream.ts");
  return make();
}
