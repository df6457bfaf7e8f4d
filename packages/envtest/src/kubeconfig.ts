import { readFile, writeFile } from "node:fs/promises";
import type { ApiAccess } from "./api-request.ts";

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly "certificate-authority-data": string } },
  ];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

/**
 * Writes a kubeconfig that holds all it needs, and that only the user may read.
 *
 * @param user whose token it is, for people who look
 */
export async function writeKubeconfig(path: string, { server, ca, token }: ApiAccess, user: string): Promise<void> {
  const cluster = { server, "certificate-authority-data": Buffer.from(ca).toString("base64") };
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "trimtab", cluster }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: "trimtab", context: { cluster: "trimtab", user } }],
    "current-context": "trimtab",
  };
  // JSON is YAML too, and whoever reads it needs no parser for that.
  await writeFile(path, `${JSON.stringify(kubeconfig, undefined, 2)}\n`, { mode: 0o600 });
}

/** Reads what `writeKubeconfig` has written. */
export async function readKubeconfig(path: string): Promise<ApiAccess> {
  const { clusters, users } = JSON.parse(await readFile(path, "utf8")) as Kubeconfig;
  const [{ cluster }] = clusters;
  const ca = Buffer.from(cluster["certificate-authority-data"], "base64").toString();
  return { server: cluster.server, ca, token: users[0].user.token };
}
