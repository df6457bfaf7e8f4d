import { Namespace } from "@trimtab/apimachinery";
import { type AnsweredRequest, type Client, type ClientOptions, createClient, loadConnection } from "@trimtab/client";
import { inject } from "vitest";

// Said anew, because the package that starts it depends on this one.
declare module "vitest" {
  interface ProvidedContext {
    kubeconfigPath: string;
  }
}

/** A client of the run's API server, and what it has sent: `POST 201`. */
export interface TestClient {
  readonly client: Client;
  readonly sent: string[];
}

export async function connect(options: Partial<ClientOptions> = {}): Promise<TestClient> {
  const connection = await loadConnection({ kubeconfig: inject("kubeconfigPath"), env: {} });
  const sent: string[] = [];
  const onRequest = ({ method, code }: AnsweredRequest): void => {
    sent.push(`${method} ${code}`);
  };
  const client = createClient({ connection, userAgent: "test", fieldManager: "test", onRequest, ...options });
  return { client, sent };
}

export async function createNamespace(client: Client): Promise<string> {
  return (await client.create(Namespace, { metadata: { generateName: "client-" } })).metadata.name;
}
