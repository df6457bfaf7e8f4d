import type { InformerHealth } from "@trimtab/cache";
import { isApiError } from "@trimtab/client";
import type { Controller } from "@trimtab/controller";
import { electionTrouble } from "./election.ts";
import type { HealthCheck } from "./health-check.ts";
import { isWedged, resourceName, troubleOf, wedgedWorkerMs } from "./trouble.ts";

/** What readiness is made of. */
export interface ReadinessFacts {
  readonly informers: readonly InformerHealth[];
  /** Absent where there is no election. A standby is ready, so who leads does not matter. */
  readonly election: { readonly error: Error | undefined } | undefined;
  readonly isStopping: boolean;
  /** RBAC rules that writes were refused for. */
  readonly missingRules: readonly string[];
}

/**
 * Ready: every cache has synced and its watch is alive, but for namespaces that are forbidden; the lease can be asked for,
 * and the process is to go on.
 */
export function readiness({ informers, election, isStopping, missingRules }: ReadinessFacts): readonly HealthCheck[] {
  return [
    ...informers.map((health) => ({ name: nameOf(health), ...sight(health, informers) })),
    ...(election === undefined ? [] : [{ name: "lease", trouble: election.error && electionTrouble(election.error) }]),
    // One namespace where a write is refused must not take the whole process out of service.
    ...missingRules.map((rule, index) => ({ name: `rule:${index + 1}`, trouble: undefined, note: rule })),
    { name: "shutdown", trouble: isStopping ? "the process is stopping" : undefined },
  ];
}

/** Well: no worker and no watch is wedged. Trouble that heals by itself, such as an API server that is away, is none. */
export function wellness(
  informers: readonly InformerHealth[],
  controllers: readonly Controller[],
): readonly HealthCheck[] {
  return [
    { name: "ping", trouble: undefined },
    ...controllers.map((controller) => ({ name: `workers:${controller.name}`, trouble: stuck(controller) })),
    ...informers.map((health) => ({
      name: nameOf(health),
      trouble: isWedged(health) ? `nothing was heard for ${seconds(health.silentMs)}` : undefined,
    })),
  ];
}

function nameOf({ type, namespace }: InformerHealth): string {
  return `cache:${resourceName(type)}${namespace === undefined ? "" : `@${namespace}`}`;
}

/** One namespace that is forbidden must not take the whole process out of service, nor keep it from it. */
function sight(health: InformerHealth, all: readonly InformerHealth[]): Pick<HealthCheck, "trouble" | "note"> {
  const trouble = unready(health);
  if (trouble === undefined || health.state !== "failing" || !isApiError(health.error, "Forbidden")) return { trouble };
  const isSeenElsewhere = all.some(({ type, synced, state }) => type === health.type && synced && state !== "failing");
  return isSeenElsewhere ? { trouble: undefined, note: trouble } : { trouble };
}

function unready(health: InformerHealth): string | undefined {
  if (health.state === "failing") return `${troubleOf(health.type, health.error)} (for ${seconds(health.sinceMs)})`;
  return health.synced ? undefined : `not synced yet (for ${seconds(health.sinceMs)})`;
}

function stuck(controller: Controller): string | undefined {
  const keys = controller.stuck(wedgedWorkerMs);
  if (keys.length === 0) return undefined;
  return `the reconciles of ${keys.slice(0, 5).join(", ")} have been running for more than ${seconds(wedgedWorkerMs)}`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
