import { execFile } from "node:child_process";
import { promisify } from "node:util";
import {
  type Condition,
  type CustomResourceDefinition,
  Event,
  type KubeObject,
  Namespace,
  type ObjectKey,
  type ResourceType,
} from "@trimtab/apimachinery";
import { type Applied, type Client, createClient, ignoreNotFound, loadConnection } from "@trimtab/client";
import { test as base, inject, type TestAPI } from "vitest";
import { accountWithRoles } from "./account-with-roles.ts";
import { establish } from "./establish.ts";
import { createNamespace } from "./namespace.ts";
import { type OperatorProcess, startOperator } from "./operator-process.ts";
import { describeRequest, isWriteOf } from "./operator-writes.ts";
import { ResourceQuota } from "./resource-quota.ts";
import { readRoles } from "./role.ts";
import { auditEvents } from "./vitest.ts";
import { WatchedObject } from "./watched-object.ts";

export { establish } from "./establish.ts";
export { describeRequest, isWriteOf } from "./operator-writes.ts";

const execute = promisify(execFile);

/** How long tests wait for what an operator is to do; for `expect.poll`. */
export const patience: { readonly timeout: number; readonly interval: number } = { timeout: 30_000, interval: 50 };

/** An object whose status says by the condition `Ready` how far its operator is. */
export type Reconciled = KubeObject & {
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly Condition[] };
};

export interface TeamOptions<T extends Reconciled> {
  /** Its name, as its user agent has it. */
  readonly operator: string;
  /** Its `main.ts`. */
  readonly main: string;
  /** The file of the roles that it needs: it runs as a service account that has these, and no other rights. */
  readonly roles: string;
  /** The kind that it is for, and that kind's definition. */
  readonly type: ResourceType<T>;
  readonly crd: Applied<CustomResourceDefinition>;
  /** Further namespaces, by what comes after the team's own and a dash. @default none */
  readonly beside?: readonly string[];
  /** Those of them that are not there yet, but looked after already. @default none */
  readonly later?: readonly string[];
  /** Does what has to be done when the operator has ended, before the namespaces are deleted. @default nothing */
  readonly leave?: (team: Team<T>) => Promise<void>;
}

/** A namespace of a test's own on the control plane that tests share, and an operator that looks after nothing else. */
export class Team<T extends Reconciled> {
  readonly namespace: string;
  readonly client: Client;
  readonly #options: TeamOptions<T>;
  /** As started last. */
  operator: OperatorProcess | undefined;
  #account: Promise<string> | undefined;

  private constructor(options: TeamOptions<T>, client: Client, namespace: string) {
    this.#options = options;
    this.client = client;
    this.namespace = namespace;
  }

  static async gather<T extends Reconciled>(options: TeamOptions<T>): Promise<Team<T>> {
    const { operator, crd, beside = [], later = [] } = options;
    const connection = await loadConnection({ kubeconfig: inject("kubeconfigPath"), env: {} });
    const name = `${operator}-test`;
    const client = createClient({ connection, userAgent: name, fieldManager: name });
    await establish(client, crd);
    const team = new Team(
      options,
      client,
      await createNamespace(client, { prefix: operator.replace("-operator", "") }),
    );
    for (const suffix of beside)
      if (!later.includes(suffix)) await client.create(Namespace, { metadata: { name: team.beside(suffix) } });
    return team;
  }

  async disband(): Promise<void> {
    await this.operator?.kill();
    await this.#options.leave?.(this);
    for (const name of this.namespaces) await ignoreNotFound(this.client.delete(Namespace, { name }));
    this.client.close();
  }

  /** All that the operator looks after. */
  get namespaces(): readonly string[] {
    return [this.namespace, ...(this.#options.beside ?? []).map((suffix) => this.beside(suffix))];
  }

  /** The name of a further namespace. */
  beside(suffix: string): string {
    return `${this.namespace}-${suffix}`;
  }

  /** @param kubeconfigPath lets it in as somebody else */
  async startOperator(kubeconfigPath?: string): Promise<OperatorProcess> {
    this.operator = await startOperator({
      main: this.#options.main,
      kubeconfigPath: kubeconfigPath ?? (await this.#ownAccount()),
      flags: [`--namespaces=${this.namespaces.join(",")}`],
    });
    return this.operator;
  }

  /** Another account for the operator, with the roles of this file, which it keeps when the team's namespaces go. */
  async accountElsewhere(roles: string): Promise<string> {
    const namespace = await createNamespace(this.client, { prefix: `${this.namespace}-account` });
    return accountWithRoles({ kubeconfigPath: inject("kubeconfigPath"), namespace, roles: await readRoles(roles) });
  }

  key(name: string): Required<ObjectKey> {
    return { namespace: this.namespace, name };
  }

  /** What kubectl prints, for this namespace. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const [program = "", ...leading] = inject("kubectl");
    const where = [`--kubeconfig=${inject("kubeconfigPath")}`, `--namespace=${this.namespace}`];
    const { stdout } = await execute(program, [...leading, ...where, ...args]);
    return stdout;
  }

  /** Limits what a namespace may hold; resolves once the API server knows what it holds already. */
  async quota(hard: Readonly<Record<string, string>>, namespace: string = this.namespace): Promise<void> {
    const key = { namespace, name: "quota" };
    await this.client.create(ResourceQuota, { metadata: key, spec: { hard } });
    const counted = new WatchedObject(this.client, ResourceQuota, key);
    await counted.until(({ status }) => status?.used !== undefined, patience.timeout);
  }

  /** Resolves with the object, once it is there and `holds` says yes. */
  until<U extends KubeObject & { readonly status?: unknown }>(
    type: ResourceType<U>,
    name: string,
    holds: (object: U) => boolean,
  ): Promise<U> {
    return new WatchedObject(this.client, type, this.key(name)).until(holds, patience.timeout);
  }

  /** The states that an object goes through while `work` is done, oldest first. */
  watching<U extends KubeObject>(
    type: ResourceType<U>,
    name: string,
    work: () => Promise<void>,
  ): Promise<readonly U[]> {
    return new WatchedObject(this.client, type, this.key(name)).statesDuring(work, patience.timeout);
  }

  /** Resolves once an object of the operator's kind is ready, by a status that is about its present spec. */
  ready(name: string): Promise<T> {
    return this.until(
      this.#options.type,
      name,
      (object) => isOfPresentSpec(object) && readyOf(object)?.status === "True",
    );
  }

  /** Resolves once it is not ready for this reason. @returns the message that says why */
  async unready(name: string, reason: string): Promise<string> {
    const isUnready = (object: T): boolean => {
      const ready = readyOf(object);
      return isOfPresentSpec(object) && ready?.status === "False" && ready.reason === reason;
    };
    return readyOf(await this.until(this.#options.type, name, isUnready))?.message ?? "";
  }

  /** The Events about an object of this namespace, as `reason: note`. */
  async events(name: string): Promise<readonly string[]> {
    const { items } = await this.client.list(Event, { namespace: this.namespace });
    return items.filter(({ regarding }) => regarding?.name === name).map(({ reason, note }) => `${reason}: ${note}`);
  }

  /** What operators have written in these namespaces so far, Events too, oldest first; as `describeRequest` has it. */
  async writes(): Promise<readonly string[]> {
    const isHere = (namespace = ""): boolean => this.namespaces.includes(namespace);
    return (await auditEvents())
      .filter((event) => isWriteOf(this.#options.operator, event) && isHere(event.objectRef?.namespace))
      .map(describeRequest);
  }

  #ownAccount(): Promise<string> {
    this.#account ??= readRoles(this.#options.roles).then((roles) =>
      accountWithRoles({ kubeconfigPath: inject("kubeconfigPath"), namespace: this.namespace, roles }),
    );
    return this.#account;
  }
}

/** A test that has a `team`, with the verbs that the tests of one operator have of their own. */
export function teamTest<T extends Reconciled, Verbs extends object>(
  options: TeamOptions<T>,
  verbsOf: (team: Team<T>) => Verbs,
): TestAPI<{ team: Team<T> & Verbs }> {
  return base.extend<{ team: Team<T> & Verbs }>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads off the pattern what a fixture needs
    team: async ({}, use) => {
      const team = await Team.gather(options);
      await use(Object.assign(team, verbsOf(team)));
      await team.disband();
    },
  });
}

function isOfPresentSpec({ metadata, status }: Reconciled): boolean {
  return status?.observedGeneration === metadata.generation;
}

function readyOf({ status }: Reconciled): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready");
}
