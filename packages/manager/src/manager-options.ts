import type { Duration } from "@trimtab/apimachinery";
import type { Connection } from "@trimtab/client";
import type { ControllerDefinition } from "@trimtab/controller";
import type { Logger } from "pino";
import type { BindAddress } from "./bind-address.ts";
import type { LeaderElectionOptions } from "./election.ts";
import type { MetricsSettings } from "./operator-settings.ts";

export interface ManagerOptions {
  /** Names the field manager, the Lease, the user agent and the reporting controller of events. */
  readonly name: string;
  /** @default "0.0.0" */
  readonly version?: string;
  readonly connection: Connection;
  readonly controllers: readonly ControllerDefinition[];
  readonly log: Logger;
  /** Watch these namespaces only. @default all */
  readonly namespaces?: readonly string[];
  /** Run as one of several replicas, of which one reconciles. @default as the only one */
  readonly leaderElection?: LeaderElectionOptions;
  /** Where to serve `/healthz` and `/readyz`. @default nowhere */
  readonly health?: BindAddress;
  /** Where and how to serve `/metrics`. @default nowhere */
  readonly metrics?: MetricsSettings;
  /** For every controller, in place of its own. */
  readonly maxConcurrentReconciles?: number;
  /** How long reconciles under way may take to end. @default "25s" */
  readonly gracefulShutdown?: Duration;
  /**
   * How long kinds may fail to sync for a reason that only a new start can heal: credentials that are refused, a server
   * that is not to be trusted. A missing CRD or RBAC rule, or an API server that is away, is waited for.
   *
   * @default "2m"
   */
  readonly cacheSyncTimeout?: Duration;
}
