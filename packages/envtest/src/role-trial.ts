import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Event, Namespace } from "@trimtab/apimachinery";
import { type Client, createClient, loadConnection } from "@trimtab/client";
import { type AccountRequests, accountRequests } from "./account-requests.ts";
import { accountWithRoles } from "./account-with-roles.ts";
import type { ControlPlane } from "./control-plane.ts";
import { startOperator } from "./operator-process.ts";
import type { Role } from "./role.ts";

export interface RoleTrialOptions {
  readonly controlPlane: ControlPlane;
  /** The operator's `main.ts`. */
  readonly main: string;
  /** What the operator's account has. */
  readonly roles: readonly Role[];
  readonly scenario: RoleScenario;
}

/** Makes an operator use each right that it has. */
export type RoleScenario = (stage: RoleStage) => Promise<void>;

export interface RoleStage {
  /** May do anything. */
  readonly client: Client;
  /** The two namespaces that the operator looks after; its account and its Lease are at home. */
  readonly home: string;
  readonly away: string;
  /**
   * Resolves with what `look` finds, once that is something, and not `false`; a look that fails finds nothing. Rejects when
   * the trial ends.
   */
  readonly until: <T>(look: () => Promise<T | false | undefined>) => Promise<T>;
  /** What the operator has asked for so far. */
  readonly requests: () => Promise<AccountRequests>;
}

/** An operator at work with certain roles. */
export interface RoleTrial {
  /** Settles as the scenario does. */
  readonly played: Promise<void>;
  requests(): Promise<AccountRequests>;
  /** What the operator tells people: `/readyz?verbose`, its log, and the notes of its Events as JSON. */
  said(): Promise<string>;
  end(): Promise<void>;
}

const pollMs = 250;

/** Starts an operator as an account with these roles and no others, and plays the scenario. */
export async function startRoleTrial(options: RoleTrialOptions): Promise<RoleTrial> {
  const { controlPlane, main, roles, scenario } = options;
  const { kubeconfigPath } = controlPlane;
  const connection = await loadConnection({ kubeconfig: kubeconfigPath, env: {} });
  const client = createClient({ connection, userAgent: "role-trial", fieldManager: "role-trial" });
  const home = `trial-${randomUUID().slice(0, 8)}`;
  const away = `${home}-away`;
  const namespaces = [home, away];
  for (const name of namespaces) await client.create(Namespace, { metadata: { name } });
  const operator = await startOperator({
    main,
    kubeconfigPath: await accountWithRoles({ kubeconfigPath, namespace: home, namespaces, roles }),
    flags: [`--namespaces=${namespaces.join(",")}`, "--leader-elect", `--leader-election-namespace=${home}`],
    awaitReady: false,
  });

  const stop = new AbortController();
  const requests = async (): Promise<AccountRequests> => accountRequests(await controlPlane.auditEvents(), home);
  const until: RoleStage["until"] = async (look) => {
    for (;;) {
      const found = await look().catch(() => undefined);
      if (found !== undefined && found !== false) return found;
      await sleep(pollMs, undefined, { signal: stop.signal });
    }
  };
  const played = scenario({ client, home, away, until, requests });
  // Whoever looks for one refusal does not wait for the end.
  played.catch(() => {});
  return {
    played,
    requests,
    said: async () => {
      const readiness = await fetch(`${operator.healthUrl}/readyz?verbose`).then((response) => response.text());
      const { items } = await client.list(Event, { namespace: home });
      return [readiness, ...(await operator.log()), ...items.map(({ note }) => JSON.stringify(note))].join("\n");
    },
    end: async () => {
      stop.abort();
      await operator.kill();
      client.close();
    },
  };
}
