import { Namespace } from "@trimtab/apimachinery";
import { type Client, type Connection, createClient, loadConnection } from "@trimtab/client";
import type {} from "@trimtab/envtest/vitest";
import { inject } from "vitest";

/** The control plane of the test run, as a person with all rights sees it. */
export async function connect(): Promise<{ readonly connection: Connection; readonly client: Client }> {
  const connection = await loadConnection({ kubeconfig: inject("kubeconfigPath"), env: {} });
  return { connection, client: createClient({ connection, userAgent: "test", fieldManager: "test" }) };
}

/** A new namespace, which goes when the control plane does. */
export async function namespaceOf(client: Client, name: string): Promise<string> {
  const { metadata } = await client.create(Namespace, { metadata: { generateName: `${name}-` } });
  return metadata.name;
}

/** Resolves once it holds; asks the API server, since nobody tells. */
export async function eventually(holds: () => Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`it did not come true within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
