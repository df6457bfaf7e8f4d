import { hostname } from "node:os";
import { type Cache, createCache } from "@trimtab/cache";
import { type Client, type ClientOptions, createClient, withMemory } from "@trimtab/client";
import { Controller, informersOf, missingRule } from "@trimtab/controller";
import { createEventRecorder, type EventRecorder } from "@trimtab/events";
import type { LeaderElector } from "@trimtab/leader-election";
import { createElector } from "./election.ts";
import type { ManagerOptions } from "./manager-options.ts";
import type { Metrics } from "./metrics.ts";
import { MissingRules } from "./missing-rules.ts";
import { troubleLog } from "./trouble-log.ts";

/** What a manager is made of; none of it runs yet. */
export interface Parts {
  readonly cache: Cache;
  readonly controllers: readonly Controller[];
  readonly events: EventRecorder;
  readonly elector: LeaderElector | undefined;
  readonly metrics: Metrics | undefined;
  readonly missingRules: MissingRules;
  /** For what a process that does not lead may ask too, over connections of its own. */
  readonly unfenced: Client;
}

/** Makes the parts of a manager, and has them closed with `closing`. */
export async function assemble(options: ManagerOptions, closing: AsyncDisposableStack): Promise<Parts> {
  const { name, log, leaderElection } = options;
  const instance = hostname();
  const metrics = options.metrics && (await import("./metrics.ts")).createMetrics();
  const connect = (fence?: () => void): Client => {
    const client = createClient({ ...clientOptions(options, metrics), ...(fence !== undefined && { fence }) });
    closing.defer(async () => client.close());
    return client;
  };
  const unfenced = connect();
  // With connections of its own, so that no flood of scrapers keeps a renewal waiting.
  const elector = leaderElection && createElector(leaderElection, { client: connect(), name, instance, log });
  const client = connect(elector && (() => elector.fence()));
  const missingRules = new MissingRules();
  const cache = createCache({
    client,
    fieldManager: name,
    informers: informersOf(options.controllers, options.namespaces),
    onHealth: troubleLog(log),
    onListenerError: (err) => log.error({ err }, "an event listener threw"),
  });
  const events = createEventRecorder({
    client,
    controller: name,
    instance,
    onError: (err) => {
      const rule = missingRule(err);
      // Each event lacks it again.
      const level = rule !== undefined && !missingRules.add(rule) ? "debug" : "warn";
      log[level]({ err }, rule ?? err.message);
    },
  });
  const parts = { cache, events, elector, metrics, missingRules, unfenced };
  return { ...parts, controllers: controllersOf(options, parts, withMemory(client, cache.memory)) };
}

function controllersOf(
  { controllers, log, maxConcurrentReconciles }: ManagerOptions,
  { cache, events, metrics, missingRules }: Omit<Parts, "controllers">,
  client: Client,
): readonly Controller[] {
  const runtime = {
    ...{ cache, client, events, log },
    ...(maxConcurrentReconciles !== undefined && { maxConcurrentReconciles }),
  };
  const missedRule = (rule: string): void => void missingRules.add(rule);
  return controllers.map(
    (definition) =>
      new Controller(definition, {
        ...runtime,
        observer: { ...metrics?.observerOf(definition.name), missedRule },
      }),
  );
}

function clientOptions({ name, version = "0.0.0", connection }: ManagerOptions, metrics?: Metrics): ClientOptions {
  return {
    connection,
    userAgent: `${name}/${version} (${process.platform}/${architecture()}) trimtab`,
    fieldManager: name,
    ...(metrics !== undefined && { onRequest: metrics.onRequest }),
  };
}

/** As Go names them. */
function architecture(): string {
  return process.arch === "x64" ? "amd64" : process.arch;
}
