/** What Node takes a longer time for is 1 ms. */
const longestMs = 2 ** 31 - 1;

/** Resolves after so long, or as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, signal.aborted ? 0 : Math.min(Math.max(ms, 0), longestMs));
    signal.addEventListener("abort", end, { once: true });
  });
}
