import type { LiveFigures } from "./measure-live.ts";
import type { StartFigures } from "./measure-start.ts";

/** All runs of one contender at one scenario. */
export interface Row {
  readonly scenario: string;
  readonly contender: string;
  readonly starts: readonly (StartFigures & { readonly floorSeconds: number })[];
  readonly lives: readonly LiveFigures[];
}

/** The middle of each figure on its own, under the heading that the table gives it. */
export function median({ scenario, contender, starts, lives }: Row): Readonly<Record<string, string>> {
  const start = (figure: (run: Row["starts"][number]) => number, digits: number): string =>
    middle(starts.map(figure)).toFixed(digits);
  return {
    scenario,
    contender,
    "floor s": start(({ floorSeconds }) => floorSeconds, 2),
    "converged s": start(({ convergedSeconds }) => convergedSeconds, 2),
    "÷ floor": start(({ convergedSeconds, floorSeconds }) => convergedSeconds / floorSeconds, 2),
    "CPU s": start(({ cpuSeconds }) => cpuSeconds, 2),
    "peak MB": start(({ peakRssMb }) => peakRssMb, 0),
    "settled MB": start(({ settledRssMb }) => settledRssMb, 0),
    "1st write s": start(({ firstWriteSeconds }) => firstWriteSeconds, 2),
    requests: start(({ requests }) => requests, 0),
    "no-op": start(({ noOpWrites }) => noOpWrites, 0),
    events: start(({ events }) => events, 0),
    "live p50/p99 ms":
      lives.length === 0
        ? "–"
        : `${middle(lives.map(({ p50Ms }) => p50Ms)).toFixed(1)} / ${middle(lives.map(({ p99Ms }) => p99Ms)).toFixed(1)}`,
  };
}

export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map(median);
  return lines
    .map((line) =>
      Object.entries(line)
        .map(([heading, value]) => `  ${heading.padEnd(16)} ${value}`)
        .join("\n"),
    )
    .join("\n\n");
}

function middle(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
