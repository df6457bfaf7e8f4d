import { resolve } from "node:path";
import { Namespace } from "@trimtab/apimachinery";
import { type Client, createClient, loadConnection } from "@trimtab/client";
import { accountWithRoles, type OperatorProcess, readRoles, startControlPlane, startOperator } from "@trimtab/envtest";
import { describeRequest, establish, isWriteOf } from "@trimtab/envtest/team";
import { test as base, describe, expect } from "vitest";
import { MultiSecret } from "../src/api/v1alpha1/multisecret.ts";
import { crd, patience } from "./team.ts";

const main = resolve(import.meta.dirname, "../src/main.ts");
const role = resolve(import.meta.dirname, "../config/rbac/role.yaml");
const key = { namespace: "default", name: "sample" };
const namespaces = 300;

interface Cluster {
  readonly client: Client;
  /** What operators have written so far. */
  writes(): Promise<readonly string[]>;
}

const it = base.extend<{ cluster: Cluster }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads off the pattern what a fixture needs
  cluster: async ({}, use) => {
    // Its own: an operator that looks after all namespaces would see to those of other tests.
    const controlPlane = await startControlPlane({ controllers: [], kubelet: false });
    const connection = await loadConnection({ kubeconfig: controlPlane.kubeconfigPath, env: {} });
    const client = createClient({ connection, userAgent: "secret-test", fieldManager: "secret-test" });
    const writes = async () =>
      (await controlPlane.auditEvents()).filter((event) => isWriteOf("secret-operator", event)).map(describeRequest);
    let operator: OperatorProcess | undefined;
    try {
      await establish(client, crd);
      await makeNamespaces(client);
      const where = { kubeconfigPath: controlPlane.kubeconfigPath, namespace: key.namespace };
      operator = await startOperator({
        main,
        kubeconfigPath: await accountWithRoles({ ...where, roles: await readRoles(role) }),
      });
      await use({ client, writes });
    } finally {
      await operator?.kill();
      client.close();
      await controlPlane.stop();
    }
  },
});

async function makeNamespaces(client: Client): Promise<void> {
  for (let index = 0; index < namespaces; index += 10) {
    const names = Array.from({ length: 10 }, (_, offset) => `ns-${index + offset}`);
    const labels = { tier: "web" };
    await Promise.all(names.map((name) => client.create(Namespace, { metadata: { name, labels } })));
  }
}

async function synchronized(client: Client, generation: number): Promise<void> {
  const status = async () => (await client.get(MultiSecret, key)).status;
  const conditions = [expect.objectContaining({ status: "True" })];
  const wanted = { observedGeneration: generation, wanted: namespaces, created: namespaces, conditions };
  await expect.poll(status, patience).toMatchObject(wanted);
}

describe("a MultiSecret in 300 namespaces", () => {
  it("costs a write in each, to make, change or delete its copies, and few for itself", { timeout: 180_000 }, async ({
    cluster: { client, writes },
  }) => {
    const most = namespaces + 8;
    const namespaceSelector = { matchLabels: { tier: "web" } };
    await client.create(MultiSecret, { metadata: key, spec: { stringData: { user: "me" }, namespaceSelector } });
    await synchronized(client, 1);
    const made = await writes();
    expect(made.filter((write) => write.startsWith("create secrets"))).toHaveLength(namespaces);
    expect(made.length).toBeLessThanOrEqual(most);

    await client.mergePatch(MultiSecret, key, { spec: { stringData: { user: "you" } } });
    await synchronized(client, 2);
    const changed = (await writes()).slice(made.length);
    expect(changed.filter((write) => write.startsWith("update secrets"))).toHaveLength(namespaces);
    expect(changed.length).toBeLessThanOrEqual(most);

    await client.delete(MultiSecret, key);
    const gone = () => client.get(MultiSecret, key).catch(({ reason }: { reason: string }) => reason);
    await expect.poll(gone, patience).toBe("NotFound");
    const deleted = (await writes()).slice(made.length + changed.length);
    expect(deleted.filter((write) => write.startsWith("delete secrets"))).toHaveLength(namespaces);
    expect(deleted.length).toBeLessThanOrEqual(most);
  });
});
