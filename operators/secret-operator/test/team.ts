import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { promisify } from "node:util";
import {
  CustomResourceDefinition,
  Event,
  Namespace,
  type ObjectKey,
  type ResourceType,
  Secret,
} from "@trimtab/apimachinery";
import { type Client, type Created, createClient, ignoreNotFound, loadConnection } from "@trimtab/client";
import { customResourceDefinition } from "@trimtab/crd";
import { type AuditEvent, accountWithRoles, type OperatorProcess, readRoles, startOperator } from "@trimtab/envtest";
import { auditEvents } from "@trimtab/envtest/vitest";
import { test as base, expect, inject } from "vitest";
import { MultiSecret } from "../src/api/v1alpha1/multisecret.ts";
import { copyName } from "../src/copy/copy-name.ts";

const execute = promisify(execFile);
const main = resolve(import.meta.dirname, "../src/main.ts");
const rbac = resolve(import.meta.dirname, "../config/rbac/role.yaml");
/** For `expect.poll`. */
export const patience = { timeout: 20_000, interval: 50 };

export const ResourceQuota: ResourceType = {
  group: "",
  version: "v1",
  kind: "ResourceQuota",
  plural: "resourcequotas",
  scope: "Namespaced",
};

/** Makes the API server know the kind. */
export async function install(client: Client): Promise<void> {
  const crd = customResourceDefinition(MultiSecret);
  await client.apply(CustomResourceDefinition, crd);
  const conditions = async () => (await client.get(CustomResourceDefinition, crd.metadata)).status?.conditions;
  const established = expect.objectContaining({ type: "Established", status: "True" });
  await expect.poll(conditions, patience).toContainEqual(established);
}

async function operatorAccount(namespace: string): Promise<string> {
  return accountWithRoles({ kubeconfigPath: inject("kubeconfigPath"), namespace, roles: await readRoles(rbac) });
}

/** Three namespaces of a test's own, `home` of which holds the MultiSecrets, and an operator that looks after nothing else. */
export class Team {
  readonly name = `secret-${randomUUID().slice(0, 8)}`;
  readonly home = `${this.name}-home`;
  readonly near = `${this.name}-near`;
  readonly far = `${this.name}-far`;
  /** Not there yet, but looked after already. */
  readonly late = `${this.name}-late`;
  readonly client: Client;
  operator: OperatorProcess | undefined;
  #account: Promise<string> | undefined;

  constructor(client: Client) {
    this.client = client;
  }

  static async gather(): Promise<Team> {
    const connection = await loadConnection({ kubeconfig: inject("kubeconfigPath"), env: {} });
    const client = createClient({ connection, userAgent: "secret-test", fieldManager: "secret-test" });
    await install(client);
    const team = new Team(client);
    await Promise.all([team.home, team.near, team.far].map((name) => team.createNamespace(name)));
    return team;
  }

  async disband(): Promise<void> {
    await this.operator?.kill();
    const { items } = await this.client.list(MultiSecret, { namespace: this.home });
    for (const { metadata } of items) await this.edit(metadata.name, { metadata: { finalizers: null } });
    for (const name of this.all) await ignoreNotFound(this.client.delete(Namespace, { name }));
    this.client.close();
  }

  get all(): readonly string[] {
    return [this.home, this.near, this.far, this.late];
  }

  /** As a service account that has the operator's ClusterRole, and no other rights. */
  async startOperator(kubeconfigPath?: string): Promise<OperatorProcess> {
    const access = kubeconfigPath ?? (await this.#ownAccount());
    this.operator = await startOperator({
      main,
      kubeconfigPath: access,
      flags: [`--namespaces=${this.all.join(",")}`],
    });
    return this.operator;
  }

  createNamespace(name: string, labels: Readonly<Record<string, string>> = {}): Promise<Namespace> {
    return this.client.create(Namespace, { metadata: { name, labels } });
  }

  label(namespace: string, labels: Readonly<Record<string, string | null>>): Promise<Namespace> {
    return this.client.mergePatch(Namespace, { name: namespace }, { metadata: { labels } });
  }

  key(name: string): Required<ObjectKey> {
    return { namespace: this.home, name };
  }

  /** What kubectl prints, for the home namespace. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const [program = "", ...leading] = inject("kubectl");
    const where = [`--kubeconfig=${inject("kubeconfigPath")}`, `--namespace=${this.home}`];
    const { stdout } = await execute(program, [...leading, ...where, ...args]);
    return stdout;
  }

  create(
    name: string,
    spec: Created<MultiSecret>["spec"] = { stringData: { user: "sample" } },
    metadata: Created<MultiSecret>["metadata"] = {},
  ): Promise<MultiSecret> {
    return this.client.create(MultiSecret, {
      metadata: { ...metadata, ...this.key(name) },
      spec,
    } as Created<MultiSecret>);
  }

  edit(name: string, patch: object): Promise<MultiSecret> {
    return this.client.mergePatch(MultiSecret, this.key(name), patch);
  }

  multiSecret(name: string): Promise<MultiSecret> {
    return this.client.get(MultiSecret, this.key(name));
  }

  copyKey(name: string, namespace: string): Required<ObjectKey> {
    return { namespace, name: copyName(this.key(name)) };
  }

  copy(name: string, namespace: string): Promise<Secret | undefined> {
    return ignoreNotFound(this.client.get(Secret, this.copyKey(name, namespace)));
  }

  editCopy(name: string, namespace: string, patch: object): Promise<Secret> {
    return this.client.mergePatch(Secret, this.copyKey(name, namespace), patch);
  }

  /** What a copy holds, as text; `undefined` where there is none. */
  async content(name: string, namespace: string): Promise<Readonly<Record<string, string>> | undefined> {
    const copy = await this.copy(name, namespace);
    const entries = Object.entries(copy?.data ?? {});
    return copy && Object.fromEntries(entries.map(([key, value]) => [key, Buffer.from(value, "base64").toString()]));
  }

  /** The namespaces that hold a copy. */
  async holders(name: string): Promise<readonly string[]> {
    const copies = await Promise.all(this.all.map((namespace) => this.copy(name, namespace)));
    return this.all.filter((_, index) => copies[index] !== undefined);
  }

  /** A Secret of the copy's name that is somebody else's. */
  foreign(name: string, namespace: string): Promise<Secret> {
    const data = { theirs: Buffer.from("theirs").toString("base64") };
    return this.client.create(Secret, { metadata: this.copyKey(name, namespace), data });
  }

  /** Resolves once the MultiSecret is ready, by a status that is about its present spec. */
  ready(name: string): Promise<MultiSecret> {
    return this.#reaches(name, { status: "True" });
  }

  /** Resolves once the MultiSecret is not ready for this reason. @returns the message that says why */
  async unready(name: string, reason: string): Promise<string> {
    const { status } = await this.#reaches(name, { status: "False", reason });
    return status?.conditions?.[0]?.message ?? "";
  }

  #ownAccount(): Promise<string> {
    this.#account ??= operatorAccount(this.home);
    return this.#account;
  }

  async #reaches(name: string, condition: object): Promise<MultiSecret> {
    const state = async () => {
      const { metadata, status } = await this.multiSecret(name);
      return { ...status?.conditions?.[0], isOfPresentSpec: status?.observedGeneration === metadata.generation };
    };
    await expect.poll(state, patience).toMatchObject({ ...condition, isOfPresentSpec: true });
    return this.multiSecret(name);
  }

  /** Resolves once a MultiSecret is gone. */
  async gone(name: string): Promise<void> {
    await expect.poll(() => ignoreNotFound(this.multiSecret(name)), patience).toBeUndefined();
  }

  /** The Events about a MultiSecret, as `reason: note`. */
  async events(name: string): Promise<readonly string[]> {
    const { items } = await this.client.list(Event, { namespace: this.home });
    return items.filter(({ regarding }) => regarding?.name === name).map(({ reason, note }) => `${reason}: ${note}`);
  }

  /** What the operator has written in these namespaces so far, oldest first: `verb resource name`, and the code if refused. */
  async writes(): Promise<readonly string[]> {
    return (await auditEvents())
      .filter((event) => isWrite(event) && this.all.includes(event.objectRef?.namespace ?? ""))
      .map(describeWrite);
  }
}

export function isWrite({ verb, userAgent }: AuditEvent): boolean {
  return userAgent?.startsWith("secret-operator/") === true && !["get", "list", "watch"].includes(verb);
}

export function describeWrite({ verb, objectRef = {}, responseStatus: { code = 0 } = {} }: AuditEvent): string {
  const { resource, subresource, name } = objectRef;
  const what = [verb, [resource, subresource].filter(Boolean).join("/"), name];
  return [...what, code < 300 ? undefined : code].filter((part) => part !== undefined).join(" ");
}

/** A test that has a `team`. */
export const it = base.extend<{ team: Team }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads off the pattern what a fixture needs
  team: async ({}, use) => {
    const team = await Team.gather();
    await use(team);
    await team.disband();
  },
});
