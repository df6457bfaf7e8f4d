import type { Duration } from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";
import { missingRule } from "@trimtab/controller";
import { LeaderElector } from "@trimtab/leader-election";
import type { Logger } from "pino";

export interface LeaderElectionOptions {
  readonly namespace: string;
  /** @default `<name of the manager>-leader` */
  readonly leaseName?: string;
  /** @default "15s" */
  readonly leaseDuration?: Duration;
  /** @default "10s" */
  readonly renewDeadline?: Duration;
  /** @default "2s" */
  readonly retryPeriod?: Duration;
}

export interface ElectionRuntime {
  /** Not fenced. */
  readonly client: Client;
  /** The manager's. */
  readonly name: string;
  /** The pod's, or the host's. */
  readonly instance: string;
  readonly log: Logger;
}

/** An elector that says in the log who leads, and why nobody can. */
export function createElector(
  { namespace, leaseName, ...timing }: LeaderElectionOptions,
  { client, name, instance, log }: ElectionRuntime,
): LeaderElector {
  const identity = `${instance}_${crypto.randomUUID()}`;
  return new LeaderElector({
    ...timing,
    client,
    namespace,
    leaseName: leaseName ?? leaseNameOf(name),
    identity,
    onNewLeader: (leader) =>
      log.info({ leader }, leader === identity ? "this process leads" : "another process leads: standing by"),
    onError: (err) => log.error({ err }, electionTrouble(err)),
  });
}

export function electionTrouble(error: Error): string {
  return missingRule(error) ?? `the lease can be neither had nor renewed: ${error.message}`;
}

/** The Lease of those who are given no other name for it. */
export function leaseNameOf(manager: string): string {
  return `${manager}-leader`;
}
