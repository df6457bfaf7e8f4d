import { dirname, join } from "node:path";
import { apiRequest } from "./api-request.ts";
import { readKubeconfig, writeKubeconfig } from "./kubeconfig.ts";

export interface ServiceAccountKubeconfigOptions {
  /** The control plane's own. */
  readonly kubeconfigPath: string;
  readonly namespace: string;
  /** A service account that exists. */
  readonly name: string;
}

/**
 * The path of a new kubeconfig that lets one in as a service account, with just the rights that RBAC gives it. Its token, got
 * by a TokenRequest (KEP-1205), holds for a day; the file goes when the control plane does.
 *
 * @throws {Error} if the API server gives no token, as when there is no such account
 */
export async function serviceAccountKubeconfig(options: ServiceAccountKubeconfigOptions): Promise<string> {
  const { kubeconfigPath, namespace, name } = options;
  const access = await readKubeconfig(kubeconfigPath);
  const { code, text } = await apiRequest(access, {
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 86_400 } },
  });
  // What is answered with success is a secret, and is not quoted.
  if (code !== 201) throw new Error(`no token for service account ${namespace}/${name}: ${code} ${text}`);
  const { status } = JSON.parse(text) as { readonly status: { readonly token: string } };
  const path = join(dirname(kubeconfigPath), `${namespace}-${name}.kubeconfig`);
  await writeKubeconfig(path, { ...access, token: status.token }, name);
  return path;
}
