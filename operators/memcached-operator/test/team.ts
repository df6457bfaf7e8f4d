import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { promisify } from "node:util";
import {
  type Condition,
  CustomResourceDefinition,
  Deployment,
  Event,
  type KubeObject,
  Namespace,
  type ObjectKey,
  Pod,
  type ResourceType,
} from "@trimtab/apimachinery";
import { type Client, createClient, ignoreNotFound, loadConnection } from "@trimtab/client";
import { customResourceDefinition } from "@trimtab/crd";
import { type AuditEvent, accountWithRoles, type OperatorProcess, readRoles, startOperator } from "@trimtab/envtest";
import { auditEvents } from "@trimtab/envtest/vitest";
import { test as base, expect, inject } from "vitest";
import { Memcached } from "../src/api/v1alpha1/memcached.ts";

const execute = promisify(execFile);
const main = resolve(import.meta.dirname, "../src/main.ts");
const rbac = resolve(import.meta.dirname, "../config/rbac/namespaced/role.yaml");
/** For `expect.poll`. */
export const patience = { timeout: 40_000, interval: 100 };

interface ResourceQuota extends KubeObject {
  readonly spec: { readonly hard: Readonly<Record<string, string>> };
  readonly status?: { readonly used?: object };
}
const ResourceQuota: ResourceType<ResourceQuota> = {
  group: "",
  version: "v1",
  kind: "ResourceQuota",
  plural: "resourcequotas",
  scope: "Namespaced",
};

async function testClient(): Promise<Client> {
  const connection = await loadConnection({ kubeconfig: inject("kubeconfigPath"), env: {} });
  const name = "memcached-test";
  return createClient({ connection, userAgent: name, fieldManager: name });
}

async function operatorAccount(namespace: string): Promise<string> {
  return accountWithRoles({ kubeconfigPath: inject("kubeconfigPath"), namespace, roles: await readRoles(rbac) });
}

/** A namespace of a test's own, and an operator that looks after nothing else. */
export class Team {
  readonly namespace = `team-${randomUUID().slice(0, 8)}`;
  readonly client: Client;
  operator: OperatorProcess | undefined;
  #account: Promise<string> | undefined;

  constructor(client: Client) {
    this.client = client;
  }

  static async gather(): Promise<Team> {
    const team = new Team(await testClient());
    await team.#install();
    await team.client.create(Namespace, { metadata: { name: team.namespace } });
    return team;
  }

  async #install(): Promise<void> {
    const crd = customResourceDefinition(Memcached);
    await this.client.apply(CustomResourceDefinition, crd);
    const conditions = async () => (await this.client.get(CustomResourceDefinition, crd.metadata)).status?.conditions;
    const established = expect.objectContaining({ type: "Established", status: "True" });
    await expect.poll(conditions, patience).toContainEqual(established);
  }

  async disband(): Promise<void> {
    await this.operator?.kill();
    await ignoreNotFound(this.client.delete(Namespace, { name: this.namespace }));
    this.client.close();
  }

  /** As a service account that has the operator's Role in this namespace, and no other rights. */
  async startOperator(kubeconfigPath?: string): Promise<OperatorProcess> {
    this.#account ??= operatorAccount(this.namespace);
    const access = kubeconfigPath ?? (await this.#account);
    this.operator = await startOperator({
      main,
      kubeconfigPath: access,
      flags: [`--namespaces=${this.namespace}`],
    });
    return this.operator;
  }

  key(name: string): ObjectKey {
    return { namespace: this.namespace, name };
  }

  /** What kubectl prints, for this namespace. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const [program = "", ...leading] = inject("kubectl");
    const where = [`--kubeconfig=${inject("kubeconfigPath")}`, `--namespace=${this.namespace}`];
    const { stdout } = await execute(program, [...leading, ...where, ...args]);
    return stdout;
  }

  /** Limits what the namespace may hold; resolves once the API server knows what it holds already. */
  async quota(hard: Readonly<Record<string, string>>): Promise<void> {
    await this.client.create(ResourceQuota, { metadata: this.key("quota"), spec: { hard } });
    await this.until(ResourceQuota, "quota", ({ status }) => status?.used !== undefined);
  }

  create(name: string, spec: { readonly size: number; readonly image?: string }): Promise<Memcached> {
    return this.client.create(Memcached, { metadata: this.key(name), spec });
  }

  resize(name: string, size: number): Promise<Memcached> {
    return this.client.mergePatch(Memcached, this.key(name), { spec: { size } });
  }

  memcached(name: string): Promise<Memcached> {
    return this.client.get(Memcached, this.key(name));
  }

  deployment(name: string): Promise<Deployment> {
    return this.client.get(Deployment, this.key(name));
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.client.list(Pod, { namespace: this.namespace })).items;
  }

  /** Resolves with the object, once it is there and `holds` says yes. */
  async until<T extends KubeObject & { readonly status?: unknown }>(
    type: ResourceType<T>,
    name: string,
    holds: (object: T) => boolean,
  ): Promise<T> {
    const fieldSelector = `metadata.name=${name}`;
    const signal = AbortSignal.timeout(patience.timeout);
    const scope = { namespace: this.namespace, fieldSelector, sendInitialEvents: true, signal };
    let last: T | undefined;
    try {
      for await (const event of this.client.watch(type, scope)) {
        if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
        last = event.object;
        if (holds(last)) return last;
      }
    } catch (cause) {
      throw new Error(`${type.kind} ${name} did not get so far: ${JSON.stringify(last?.status)}`, { cause });
    }
    throw new Error(`the watch of ${type.kind} ${name} ended: ${JSON.stringify(last?.status)}`);
  }

  /** Resolves once the Memcached is ready, by a status that is about its present spec. */
  ready(name: string): Promise<Memcached> {
    return this.until(Memcached, name, (memcached) => {
      const { metadata, status } = memcached;
      return status?.observedGeneration === metadata.generation && readyOf(memcached)?.status === "True";
    });
  }

  /** Resolves once the Memcached is not ready for this reason. @returns the message beside it */
  async refused(name: string, reason: string): Promise<string> {
    const refused = await this.until(Memcached, name, (memcached) => {
      const ready = readyOf(memcached);
      return ready?.status === "False" && ready.reason === reason;
    });
    return readyOf(refused)?.message ?? "";
  }

  /** The Events about an object of this namespace, as `reason: note`. */
  async events(name: string): Promise<readonly string[]> {
    const { items } = await this.client.list(Event, { namespace: this.namespace });
    return items.filter(({ regarding }) => regarding?.name === name).map(({ reason, note }) => `${reason}: ${note}`);
  }

  /** The states that an object goes through while `work` is done, oldest first. */
  async watching<T extends KubeObject>(type: ResourceType<T>, name: string, work: () => Promise<void>): Promise<T[]> {
    const { namespace, client } = this;
    const { metadata } = await client.get(type, this.key(name));
    const stop = new AbortController();
    const scope = { namespace, fieldSelector: `metadata.name=${name}`, resourceVersion: metadata.resourceVersion };
    const seen: T[] = [];
    const watched = (async () => {
      for await (const event of client.watch(type, { ...scope, signal: stop.signal })) {
        if (event.type === "MODIFIED") seen.push(event.object);
      }
    })();
    watched.catch(() => {});
    await work();
    const last = await client.get(type, this.key(name));
    await expect.poll(() => seen.at(-1)?.metadata.resourceVersion, patience).toBe(last.metadata.resourceVersion);
    stop.abort();
    await watched.catch(() => {});
    return seen;
  }

  /** What operators have written in this namespace so far, Events too, oldest first: `verb resource name`, and the code if it was refused. */
  async writes(): Promise<readonly string[]> {
    return (await auditEvents())
      .filter((event) => isWrite(event) && event.objectRef?.namespace === this.namespace)
      .map(describe);
  }
}

function readyOf({ status }: Memcached): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready");
}

function isWrite({ verb, userAgent }: AuditEvent): boolean {
  return userAgent?.startsWith("memcached-operator/") === true && !["get", "list", "watch"].includes(verb);
}

function describe({ verb, objectRef = {}, responseStatus: { code = 0 } = {} }: AuditEvent): string {
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
