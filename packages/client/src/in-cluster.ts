import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "./connection.ts";
import { ConnectionError } from "./connection-error.ts";
import { tokenFileHeaders } from "./token-file.ts";

/** Where the kubelet puts a pod's credentials. */
const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * The connection of a pod by its service account (client-go's `rest.InClusterConfig`); `undefined` outside of one.
 *
 * @throws ConnectionError if the pod has no token or CA mounted
 */
export async function inClusterConnection(
  env: Readonly<Record<string, string | undefined>>,
  folder: string = serviceAccountFolder,
): Promise<Connection | undefined> {
  const host = env["KUBERNETES_SERVICE_HOST"];
  const port = env["KUBERNETES_SERVICE_PORT"];
  if (!host || !port) return undefined;
  const readCa = (): Promise<string> => readFile(join(folder, "ca.crt"), "utf8");
  const [ca, namespace] = await Promise.all([
    readCa().catch((cause: Error) => {
      throw new ConnectionError(`this pod has no service account to connect by: ${cause.message}`, { cause });
    }),
    readFile(join(folder, "namespace"), "utf8").catch(() => undefined),
  ]);
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ca,
    certificates: async () => ({ ca: await readCa() }),
    headers: tokenFileHeaders(join(folder, "token")),
    ...(namespace !== undefined && { namespace: namespace.trim() }),
  };
}
