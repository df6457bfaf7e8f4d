import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import {
  CustomResourceDefinition,
  controllerOf,
  Event,
  type KubeObject,
  Namespace,
  type ObjectKey,
  Pod,
  type ResourceType,
} from "@trimtab/apimachinery";
import { type Client, type Created, createClient, ignoreNotFound, loadConnection } from "@trimtab/client";
import { customResourceDefinition } from "@trimtab/crd";
import { type AuditEvent, accountWithRoles, type OperatorProcess, readRoles, startOperator } from "@trimtab/envtest";
import { auditEvents, testNamespace } from "@trimtab/envtest/vitest";
import { test as base, expect, inject } from "vitest";
import { PodSet } from "../src/api/v1alpha1/podset.ts";
import { isActive } from "../src/pod-state.ts";

const execute = promisify(execFile);
const main = resolve(import.meta.dirname, "../src/main.ts");
const rbac = resolve(import.meta.dirname, "../config/rbac/namespaced/role.yaml");
/** For `expect.poll`. */
export const patience = { timeout: 20_000, interval: 50 };

const ResourceQuota: ResourceType = {
  group: "",
  version: "v1",
  kind: "ResourceQuota",
  plural: "resourcequotas",
  scope: "Namespaced",
};

async function operatorAccount(namespace: string): Promise<string> {
  return accountWithRoles({ kubeconfigPath: inject("kubeconfigPath"), namespace, roles: await readRoles(rbac) });
}

/** A namespace of a test's own, and an operator that looks after nothing else. */
export class Team {
  readonly namespace: string;
  readonly client: Client;
  operator: OperatorProcess | undefined;
  #account: Promise<string> | undefined;

  constructor(namespace: string, client: Client) {
    this.namespace = namespace;
    this.client = client;
  }

  static async gather(): Promise<Team> {
    const connection = await loadConnection({ kubeconfig: inject("kubeconfigPath"), env: {} });
    const client = createClient({ connection, userAgent: "podset-test", fieldManager: "podset-test" });
    const crd = customResourceDefinition(PodSet);
    await client.apply(CustomResourceDefinition, crd);
    const conditions = async () => (await client.get(CustomResourceDefinition, crd.metadata)).status?.conditions;
    const established = expect.objectContaining({ type: "Established", status: "True" });
    await expect.poll(conditions, patience).toContainEqual(established);
    return new Team(await testNamespace("podset"), client);
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

  /** Limits what the namespace may hold; `used` is what it holds already. */
  async quota(hard: Readonly<Record<string, string>>, used: Readonly<Record<string, string>>): Promise<void> {
    const key = this.key("quota");
    await this.client.create(ResourceQuota, { metadata: key, spec: { hard } } as Created<KubeObject>);
    // Nobody counts here, and the API server admits nothing before somebody has.
    await this.client.mergePatch(ResourceQuota, key, { status: { hard, used } }, { subresource: "status" });
  }

  create(name: string, spec: { readonly replicas?: number } = {}): Promise<PodSet> {
    return this.client.create(PodSet, { metadata: this.key(name), spec });
  }

  scale(name: string, replicas: number): Promise<PodSet> {
    return this.client.mergePatch(PodSet, this.key(name), { spec: { replicas } });
  }

  podset(name: string): Promise<PodSet> {
    return this.client.get(PodSet, this.key(name));
  }

  /** A pod that is nobody's. */
  foreignPod(name: string, labels: Readonly<Record<string, string>> = {}): Promise<Pod> {
    const spec = { containers: [{ name: "only", image: "any" }] };
    return this.client.create(Pod, { metadata: { ...this.key(name), labels }, spec });
  }

  /** The pods that a PodSet controls, those included that do not count. */
  async pods(name: string): Promise<readonly Pod[]> {
    const { uid } = (await this.podset(name)).metadata;
    const { items } = await this.client.list(Pod, { namespace: this.namespace });
    return items.filter((pod) => controllerOf(pod)?.uid === uid);
  }

  /** The names of those that count, in alphabetical order. */
  async podNames(name: string): Promise<readonly string[]> {
    return (await this.pods(name))
      .filter(isActive)
      .map(({ metadata }) => metadata.name)
      .sort();
  }

  /** What a kubelet would say of a pod. */
  say(name: string, status: object): Promise<Pod> {
    return this.client.mergePatch(Pod, this.key(name), { status }, { subresource: "status" });
  }

  /** Holds a pod's deletion back, as a long grace period does; with `null`, no longer. */
  hold(name: string, finalizers: readonly string[] | null = ["podset.test/stay"]): Promise<Pod> {
    return this.client.mergePatch(Pod, this.key(name), { metadata: { finalizers } });
  }

  /** Resolves once the PodSet is ready, by a status that is about its present spec. */
  async ready(name: string): Promise<PodSet> {
    return this.#reaches(name, { status: "True" });
  }

  /** Resolves once the PodSet is not ready for this reason. @returns the message that says why */
  async unready(name: string, reason: string): Promise<string> {
    const { status } = await this.#reaches(name, { status: "False", reason });
    return status?.conditions?.find(({ type }) => type === "Ready")?.message ?? "";
  }

  async #reaches(name: string, condition: object): Promise<PodSet> {
    const state = async () => {
      const { metadata, status } = await this.podset(name);
      const ready = status?.conditions?.find(({ type }) => type === "Ready");
      return { ...ready, isOfPresentSpec: status?.observedGeneration === metadata.generation };
    };
    await expect.poll(state, patience).toMatchObject({ ...condition, isOfPresentSpec: true });
    return this.podset(name);
  }

  /** The Events about an object of this namespace, as `reason: note`. */
  async events(name: string): Promise<readonly string[]> {
    const { items } = await this.client.list(Event, { namespace: this.namespace });
    return items.filter(({ regarding }) => regarding?.name === name).map(({ reason, note }) => `${reason}: ${note}`);
  }

  /**
   * What the operator has written in this namespace so far, Events too, oldest first: `verb resource name`, and the
   * code if it was refused.
   */
  async writes(): Promise<readonly string[]> {
    return (await auditEvents())
      .filter((event) => isWrite(event) && event.objectRef?.namespace === this.namespace)
      .map(describe);
  }
}

function isWrite({ verb, userAgent }: AuditEvent): boolean {
  return userAgent?.startsWith("podset-operator/") === true && !["get", "list", "watch"].includes(verb);
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
