import type { DestinationStream } from "pino";

const colours: Readonly<Record<string, string>> = {
  trace: "\u001b[90m",
  debug: "\u001b[90m",
  info: "\u001b[32m",
  warn: "\u001b[33m",
  error: "\u001b[31m",
  fatal: "\u001b[31m",
};
const plain = "\u001b[0m";
const faint = "\u001b[90m";

/** Lines for a person at a terminal: time, level, message, and the rest as `name=value`. */
export function prettyStream(output: NodeJS.WriteStream = process.stdout): DestinationStream {
  const paint = (colour: string, text: string): string => (output.isTTY ? colour + text + plain : text);
  return {
    write(line) {
      const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
      const word = String(level);
      const fields = Object.entries(rest).map(([name, value]) => `${name}=${text(value)}`);
      output.write(
        `${paint(faint, String(time).slice(11, 23))} ${paint(colours[word] ?? "", word.padEnd(5))} ${String(msg)} ${paint(faint, fields.join(" "))}\n`,
      );
      for (const cause of causes(err)) output.write(`      ${paint(faint, cause)}\n`);
    },
  };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function causes(err: unknown): readonly string[] {
  const lines: string[] = [];
  for (let error = err as { message?: string; cause?: unknown } | undefined; error?.message !== undefined; ) {
    lines.push(`${lines.length === 0 ? "" : "because: "}${error.message}`);
    error = error.cause as typeof error;
  }
  return lines;
}
