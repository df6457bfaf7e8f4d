/** Hands on a line only if none was handed on for so long: in a log, a line a second is too many. */
export function atMostEvery(intervalMs: number, tell: (line: string) => void): (line: string) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (line) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < intervalMs) return;
    lastMs = nowMs;
    tell(line);
  };
}
