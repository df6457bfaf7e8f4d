/**
 * Runs something with a signal that aborts with `parent`, or once it has taken longer than `limitMs`.
 * Settles when what it runs has, not before: that it was told to stop does not mean that it has.
 */
export async function withDeadline<T>(
  limitMs: number,
  parent: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const onParent = () => abort.abort(parent.reason);
  const onLimit = () => abort.abort(new Error(`the reconcile has taken longer than its ${limitMs} ms`));

  if (parent.aborted) onParent();
  parent.addEventListener("abort", onParent, { once: true });
  const timer = setTimeout(onLimit, Math.min(limitMs, 2 ** 31 - 1));
  try {
    return await run(abort.signal);
  } finally {
    clearTimeout(timer);
    parent.removeEventListener("abort", onParent);
  }
}
