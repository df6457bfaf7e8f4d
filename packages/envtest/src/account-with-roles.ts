import { type ApiAccess, apiRequest } from "./api-request.ts";
import { readKubeconfig } from "./kubeconfig.ts";
import type { Role } from "./role.ts";
import { serviceAccountKubeconfig } from "./service-account-kubeconfig.ts";

export interface AccountWithRolesOptions {
  /** The control plane's own. */
  readonly kubeconfigPath: string;
  /** Where the service account is to be; a namespace that exists. */
  readonly namespace: string;
  /** A Role is bound in each of the namespaces, a ClusterRole in the cluster. */
  readonly roles: readonly Role[];
  /** They exist. @default that of the account */
  readonly namespaces?: readonly string[];
}

/** The name of the accounts that `accountWithRoles` makes, as in the manifests of operators. */
export const accountName = "controller-manager";

/**
 * Makes a service account that has these roles and no others, as an installed operator's has. ClusterRoles get a name of
 * their own, so that many tests have theirs at once, and go when the namespace does.
 *
 * @returns the path of a kubeconfig that lets one in as this account; it goes when the control plane does
 * @throws {Error} if the API server does not take what is asked for
 */
export async function accountWithRoles(options: AccountWithRolesOptions): Promise<string> {
  const { kubeconfigPath, namespace, roles, namespaces = [namespace] } = options;
  const access = await readKubeconfig(kubeconfigPath);
  await create(access, `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: accountName } });
  const uid = await uidOf(access, namespace);
  const subject = { kind: "ServiceAccount", namespace, name: accountName };
  const owner = { apiVersion: "v1", kind: "Namespace", name: namespace, uid };
  for (const { kind, metadata, rules } of roles) {
    const places = kind === "ClusterRole" ? [undefined] : namespaces;
    for (const place of places) {
      const name = place === undefined ? `${namespace}-${metadata.name}` : metadata.name;
      const folder = place === undefined ? "" : `namespaces/${place}/`;
      const about = { metadata: { name, ...(place === undefined && { ownerReferences: [owner] }) } };
      const path = `/apis/rbac.authorization.k8s.io/v1/${folder}${kind.toLowerCase()}`;
      await create(access, `${path}s`, { ...about, rules });
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind, name };
      await create(access, `${path}bindings`, { ...about, roleRef, subjects: [subject] });
    }
  }
  return serviceAccountKubeconfig({ kubeconfigPath, namespace, name: accountName });
}

async function uidOf(access: ApiAccess, namespace: string): Promise<string> {
  const { code, text } = await apiRequest(access, { path: `/api/v1/namespaces/${namespace}` });
  if (code !== 200) throw new Error(`namespace ${namespace} cannot be read: ${code} ${text}`);
  return (JSON.parse(text) as { readonly metadata: { readonly uid: string } }).metadata.uid;
}

async function create(access: ApiAccess, path: string, body: object): Promise<void> {
  const { code, text } = await apiRequest(access, { path, body });
  if (code !== 201) throw new Error(`the API server refused what was sent to ${path}: ${code} ${text}`);
}
