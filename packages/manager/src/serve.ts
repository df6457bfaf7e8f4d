import type { Parts } from "./assemble.ts";
import { leaseNameOf } from "./election.ts";
import { readiness, wellness } from "./health-checks.ts";
import { createHealthServer } from "./http-server.ts";
import { listen } from "./listen.ts";
import type { ManagerOptions } from "./manager-options.ts";

export interface Serving {
  /** Ends the servers. */
  readonly closing: AsyncDisposableStack;
  /** Aborts when the manager begins to stop: it still serves, and says that it is not ready. */
  readonly stopping: AbortSignal;
}

/** Serves health and metrics, where that is asked for. @throws Error that names the address if one cannot listen */
export async function serve(options: ManagerOptions, parts: Parts, { closing, stopping }: Serving): Promise<void> {
  const { cache, controllers, elector, metrics, missingRules, unfenced } = parts;
  if (options.health !== undefined) {
    const server = createHealthServer({
      healthz: () => wellness(cache.health(), controllers),
      readyz: () =>
        readiness({
          informers: cache.health(),
          election: elector,
          isStopping: stopping.aborted,
          missingRules: missingRules.list(),
        }),
    });
    closing.use(await listen(server, "health", options.health));
  }
  if (options.metrics !== undefined && metrics !== undefined) {
    const { name, log, leaderElection } = options;
    metrics.reportLeading(leaderElection?.leaseName ?? leaseNameOf(name), () => elector?.isLeader ?? true);
    const { createMetricsServer } = await import("./metrics-server.ts");
    const about = { ...options.metrics, name, log, metrics, client: unfenced, signal: stopping };
    closing.use(await listen(await createMetricsServer(about), "metrics", options.metrics.address));
  }
}
