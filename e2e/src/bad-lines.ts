interface LogLine {
  readonly level?: string;
  readonly err?: { readonly reason?: string };
}

/**
 * Of an operator's log, the lines that a person would worry about: warnings, errors, and what is no line of a log at all.
 * That an API server which has just got a kind asks for patience is none.
 */
export function badLines(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.trim() !== "" && isBad(line));
}

function isBad(line: string): boolean {
  try {
    const { level, err } = JSON.parse(line) as LogLine;
    return level !== "info" && level !== "debug" && err?.reason !== "TooManyRequests";
  } catch {
    return true;
  }
}
