import type { InformerHealth } from "@trimtab/cache";
import { isApiError } from "@trimtab/client";
import type { Logger } from "pino";
import { isAway, resourceName, troubleOf } from "./trouble.ts";

/** Says what is wrong with each watch, and when it is well again; that the API server is away, once for all of them. */
export function troubleLog(log: Logger): (health: InformerHealth) => void {
  const failing = new Set<string>();
  const away = new Set<string>();
  return (health) => {
    const { type, namespace } = health;
    const resource = resourceName(type);
    const stream = `${resource}@${namespace ?? ""}`;
    const about = { resource, ...(namespace !== undefined && { namespace }) };

    if (health.state === "failing" && isAway(health.error)) {
      const level = away.size === 0 ? "warn" : "debug";
      away.add(stream);
      log[level]({ ...about, err: health.error }, "the API server is away: trying again");
      return;
    }
    if (away.delete(stream) && away.size === 0) log.info("the API server is back");
    if (health.state === "failing") {
      failing.add(stream);
      // The API server asks for another try, as for a moment after a CRD was made again.
      const level = isApiError(health.error, "TooManyRequests") ? "warn" : "error";
      log[level]({ ...about, err: health.error }, troubleOf(type, health.error));
    } else if (health.state === "alive" && failing.delete(stream)) log.info(about, "the watch is well again");
  };
}
