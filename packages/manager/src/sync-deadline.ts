import { setTimeout as sleep } from "node:timers/promises";
import type { Cache } from "@trimtab/cache";
import { isHopeless, resourceName } from "./trouble.ts";

/**
 * Watches over the first lists of a cache, until the signal aborts. A CRD or an RBAC rule that is missing, or an API
 * server that is away, is waited for, however long: they heal without a new start, and the kinds that have synced work on
 * meanwhile. Credentials that are refused, or a server that is not to be trusted, are given up after `timeoutMs`.
 *
 * @throws Error that names the kinds that never synced
 */
export async function syncDeadline(cache: Cache, timeoutMs: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const unsynced = cache.health().filter(({ synced }) => !synced);
    if (signal.aborted || unsynced.length === 0) return;
    const hopeless = unsynced.filter(
      (health) => health.state === "failing" && health.sinceMs > timeoutMs && isHopeless(health.error),
    );
    const [first] = hopeless;
    if (first?.state === "failing") {
      const names = hopeless.map(({ type }) => resourceName(type)).join(", ");
      throw new Error(`caches never synced, within ${timeoutMs / 1_000} s: ${names}`, { cause: first.error });
    }
    await sleep(Math.min(timeoutMs, 1_000), undefined, { signal }).catch(() => undefined);
  }
}
