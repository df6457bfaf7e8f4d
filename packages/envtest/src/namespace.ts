import { Namespace, ServiceAccount } from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";

export interface CreateNamespaceOptions {
  /** What its name begins with; the API server makes the rest up. @default "test" */
  readonly prefix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Makes a namespace, waits until pods are let into it, and returns its name. It goes when the control plane does. */
export async function createNamespace(client: Client, options: CreateNamespaceOptions = {}): Promise<string> {
  const { prefix = "test", labels = {}, signal } = options;
  const { metadata } = await client.create(
    Namespace,
    { metadata: { generateName: `${prefix}-`, labels } },
    { ...(signal && { signal }) },
  );
  await untilPodsAreLetIn(client, metadata.name, signal);
  return metadata.name;
}

/** Pods are refused until the service account that they run as is there. */
async function untilPodsAreLetIn(client: Client, namespace: string, signal?: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const signals = [stop.signal, ...(signal ? [signal] : [])];
  const options = { namespace, fieldSelector: "metadata.name=default", signal: AbortSignal.any(signals) };
  try {
    const { items, resourceVersion } = await client.list(ServiceAccount, options);
    if (items.length > 0) return;
    for await (const event of client.watch(ServiceAccount, { ...options, resourceVersion })) {
      if (event.type === "ADDED") return;
    }
    throw new Error(`the watch for the default service account of namespace ${namespace} ended`);
  } finally {
    stop.abort();
  }
}
