import { access, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Certificates, Connection } from "./connection.ts";
import { ConnectionError } from "./connection-error.ts";
import { connectionFromKubeConfig } from "./connection-from-kube-config.ts";
import { environmentProxy } from "./environment-proxy.ts";
import { inClusterConnection } from "./in-cluster.ts";
import { isPlain, type Kubeconfig, type KubeconfigCluster, type KubeconfigUser } from "./kubeconfig.ts";
import { readKubeconfigs } from "./kubeconfig-files.ts";
import { proxyTunnel } from "./proxy-tunnel.ts";
import { tokenFileHeaders } from "./token-file.ts";

export interface LoadConnectionOptions {
  /** A kubeconfig file. @default `KUBECONFIG`, else the pod's service account, else `~/.kube/config` */
  readonly kubeconfig?: string | undefined;
  /** @default the file's current context */
  readonly context?: string | undefined;
  /** `process.env` */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds the API server in the order that kubectl and client-go have, and how to reach it: by the kubeconfig's `proxy-url`,
 * else by the environment's proxy (`environmentProxy`), else directly.
 *
 * client-node is loaded only for what it alone can do (plugins, OIDC, proxies, merged files): loading it costs more than
 * all else that an operator does before its first request.
 *
 * @throws ConnectionError with one clear line if there is nothing to connect to, or it cannot be read
 */
export async function loadConnection(options: LoadConnectionOptions): Promise<Connection> {
  const connection = await findConnection(options);
  const proxyUrl = environmentProxy(connection.server, options.env);
  if (proxyUrl === undefined || connection.proxy !== undefined) return connection;
  const proxy = await proxyBy(proxyUrl);
  return { ...connection, ...(proxy && { proxy }) };
}

async function findConnection({ kubeconfig, context, env }: LoadConnectionOptions): Promise<Connection> {
  const listed = kubeconfig ?? env["KUBECONFIG"];
  if (listed) return fromFiles(listed.split(kubeconfig === undefined ? delimiter : "\0"), context);
  const pod = await inClusterConnection(env);
  if (pod !== undefined) return pod;
  const home = join(env["HOME"] ?? env["USERPROFILE"] ?? "/", ".kube", "config");
  const exists = await access(home).then(
    () => true,
    () => false,
  );
  if (!exists)
    throw new ConnectionError(
      `no cluster to connect to: no --kubeconfig, no KUBECONFIG, not in a pod, and no file ${home}`,
    );
  return fromFiles([home], context);
}

async function fromFiles(files: readonly string[], context: string | undefined): Promise<Connection> {
  const named = files.filter((path) => path !== "");
  if (named.length === 0) throw new ConnectionError("KUBECONFIG names no file");
  const config = await readKubeconfigs(named);
  const file = named.join(delimiter);
  const name = context ?? config["current-context"];
  if (!name) throw new ConnectionError(`${file}: it has no current-context, and --context names none`);
  const chosen = config.contexts?.find((each) => each.name === name)?.context;
  if (chosen === undefined) throw new ConnectionError(`${file}: it has no context "${name}"`);
  const cluster = config.clusters?.find((each) => each.name === chosen.cluster)?.cluster;
  if (!cluster?.server)
    throw new ConnectionError(
      `${file}: its context "${name}" names the cluster "${chosen.cluster}", which has no server`,
    );
  if (!URL.canParse(cluster.server))
    throw new ConnectionError(`${file}: the server of its context "${name}" is not a URL: ${cluster.server}`);
  const user = config.users?.find((each) => each.name === chosen.user)?.user ?? {};
  if (!isPlain(cluster, user)) return fromClientNode(config, name, file);
  return {
    server: cluster.server,
    ...(await credentialsOf(cluster, user, file)),
    ...(chosen.namespace !== undefined && { namespace: chosen.namespace }),
  };
}

async function credentialsOf(
  cluster: KubeconfigCluster,
  user: KubeconfigUser,
  file: string,
): Promise<Omit<Connection, "server">> {
  const pem = async (data: string | undefined, path: string | undefined): Promise<string | undefined> => {
    if (data) return Buffer.from(data, "base64").toString();
    return path ? readNamed(path, file) : undefined;
  };
  const certificates = async (): Promise<Certificates> => {
    const [ca, cert, key] = await Promise.all([
      pem(cluster["certificate-authority-data"], cluster["certificate-authority"]),
      pem(user["client-certificate-data"], user["client-certificate"]),
      pem(user["client-key-data"], user["client-key"]),
    ]);
    return { ca, cert, key };
  };
  const authorization = user.token === undefined ? undefined : { authorization: `Bearer ${user.token}` };
  return {
    ...(await certificates()),
    certificates,
    ...(cluster["tls-server-name"] !== undefined && { serverName: cluster["tls-server-name"] }),
    ...(cluster["insecure-skip-tls-verify"] === true && { skipTlsVerify: true }),
    // As in client-go, a file is the newer of the two.
    ...(user.tokenFile
      ? { headers: tokenFileHeaders(user.tokenFile) }
      : authorization !== undefined && { headers: () => Promise.resolve(authorization) }),
  };
}

async function readNamed(path: string, by: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new ConnectionError(`${by}: cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
}

async function proxyBy(url: string): Promise<Connection["proxy"]> {
  // The URL is not quoted: it may hold a password.
  if (!/^(https?|socks\w*):/.test(url) || !URL.canParse(url))
    throw new ConnectionError("HTTPS_PROXY is not the URL of a proxy by HTTP or SOCKS");
  if (!url.startsWith("socks")) return proxyTunnel(url, undefined);
  const cluster = { server: "https://any", "proxy-url": url };
  const contexts = [{ name: "any", context: { cluster: "any", user: "any" } }];
  const config = { clusters: [{ name: "any", cluster }], users: [{ name: "any", user: {} }], contexts };
  return (await fromClientNode(config, "any", "HTTPS_PROXY")).proxy;
}

async function fromClientNode(config: Kubeconfig, context: string, file: string): Promise<Connection> {
  // Its index would load the models of all kinds as well.
  const { KubeConfig } = await import("@kubernetes/client-node/dist/config.js");
  const kubeConfig = new KubeConfig();
  try {
    kubeConfig.loadFromString(JSON.stringify(config));
  } catch (cause) {
    throw new ConnectionError(`cannot load the kubeconfig ${file}: ${(cause as Error).message}`, { cause });
  }
  kubeConfig.setCurrentContext(context);
  return connectionFromKubeConfig(kubeConfig);
}
