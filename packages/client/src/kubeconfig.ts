/** A kubeconfig file's contents, as far as a connection needs them (`client-go/tools/clientcmd/api/v1`). */
export interface Kubeconfig {
  readonly "current-context"?: string;
  readonly clusters?: readonly Named<"cluster", KubeconfigCluster>[];
  readonly users?: readonly Named<"user", KubeconfigUser>[];
  readonly contexts?: readonly Named<"context", KubeconfigContext>[];
}

type Named<Key extends string, Value> = { readonly name: string } & { readonly [K in Key]?: Value };

export interface KubeconfigCluster {
  readonly server?: string;
  readonly "certificate-authority"?: string;
  readonly "certificate-authority-data"?: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  readonly "proxy-url"?: string;
}

export interface KubeconfigUser {
  readonly "client-certificate"?: string;
  readonly "client-certificate-data"?: string;
  readonly "client-key"?: string;
  readonly "client-key-data"?: string;
  readonly token?: string;
  readonly tokenFile?: string;
}

export interface KubeconfigContext {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

const plainUserFields: ReadonlySet<string> = new Set([
  "client-certificate",
  "client-certificate-data",
  "client-key",
  "client-key-data",
  "token",
  "tokenFile",
]);

/** Whether certificates and tokens are all that it takes: no plugin, provider, impersonation, password or proxy. */
export function isPlain(cluster: KubeconfigCluster, user: KubeconfigUser): boolean {
  return cluster["proxy-url"] === undefined && Object.keys(user).every((field) => plainUserFields.has(field));
}
