import { ConfigMap, type KubeObject, Namespace, type ResourceType } from "@trimtab/apimachinery";
import { type Client, type Connection, createClient } from "@trimtab/client";
import { onTestFinished } from "vitest";
import { Informer, type InformerOptions, type InformerRuntime } from "../src/informer.ts";
import type { InformerHealth } from "../src/stream-health.ts";

interface Role extends KubeObject {
  readonly rules: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

const Role: ResourceType<Role> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "Role",
  plural: "roles",
  scope: "Namespaced",
};

interface RoleBinding extends KubeObject {
  readonly roleRef: { readonly apiGroup: string; readonly kind: "Role"; readonly name: string };
  readonly subjects: readonly { readonly apiGroup: string; readonly kind: "User"; readonly name: string }[];
}

const RoleBinding: ResourceType<RoleBinding> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "RoleBinding",
  plural: "rolebindings",
  scope: "Namespaced",
};

/** Lets a user list and watch ConfigMaps. */
export async function letRead(client: Client, namespace: string, user: string): Promise<void> {
  const apiGroup = Role.group;
  const metadata = { namespace, name: "reader" };
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] }];
  await client.create(Role, { metadata, rules });
  await client.create(RoleBinding, {
    metadata,
    roleRef: { apiGroup, kind: "Role", name: "reader" },
    subjects: [{ apiGroup, kind: "User", name: user }],
  });
}

export function clientOf(connection: Connection): Client {
  const client = createClient({ connection, userAgent: "cache-test", fieldManager: "test" });
  onTestFinished(() => client.close());
  return client;
}

/** The same connection as somebody without any rights until some are given. */
export function impersonating(user: string, connection: Connection): Connection {
  return {
    ...connection,
    headers: async (options) => ({ ...(await connection.headers?.(options)), "impersonate-user": user }),
  };
}

/** A new namespace, which goes with the control plane. */
export async function newNamespace(client: Client): Promise<string> {
  const { metadata } = await client.create(Namespace, { metadata: { generateName: "cache-" } });
  return metadata.name;
}

export function createConfigMap(client: Client, namespace: string, name: string): Promise<ConfigMap> {
  return client.create(ConfigMap, { metadata: { namespace, name }, data: { content: "x".repeat(200) } });
}

/** Works on everything, a few at a time. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** An informer that runs until the test is over, and what it says. */
export class RunningInformer<T extends KubeObject> {
  readonly informer: Informer<T>;
  readonly health: InformerHealth[] = [];
  readonly events: string[] = [];
  readonly #news: (() => void)[] = [];

  constructor(options: InformerOptions<T>, runtime: Pick<InformerRuntime, "client" | "pace">) {
    this.informer = new Informer<T>(options, {
      ...runtime,
      fieldManager: "test",
      freeze: true,
      onHealth: (health) => this.#note(() => this.health.push(health)),
      onListenerError: (error) => {
        throw error;
      },
    });
    this.informer.onEvent(({ type, object }) => this.#note(() => this.events.push(`${type} ${object.metadata.name}`)));
    const stop = new AbortController();
    const running = this.informer.run(stop.signal);
    onTestFinished(async () => {
      stop.abort();
      await running;
    });
  }

  /** Resolves once it holds; looks again with each event and change of health. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#news.push(resolve));
  }

  #note(write: () => void): void {
    write();
    for (const resolve of this.#news.splice(0)) resolve();
  }
}
