import type { RequestOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import type { Certificates, Connection } from "./connection.ts";
import { ConnectionError } from "./connection-error.ts";
import { proxyTunnel } from "./proxy-tunnel.ts";

/** client-node's plugins and providers keep their own tokens; this spares asking them for each request. */
const reuseMs = 10_000;

type Headers = Readonly<Record<string, string>>;

/** By what a user is known at some time. */
interface Credentials {
  readonly headers: Headers;
  readonly certificates: Certificates;
}

/**
 * A connection by a client-node KubeConfig, with every way to authenticate and every proxy that it knows.
 *
 * @throws ConnectionError if it has no current cluster
 */
export async function connectionFromKubeConfig(kubeConfig: KubeConfig): Promise<Connection> {
  const cluster = kubeConfig.getCurrentCluster();
  if (cluster === null)
    throw new ConnectionError(`the kubeconfig's context "${kubeConfig.getCurrentContext()}" names no cluster`);
  const options = await authenticate(kubeConfig);
  const first = credentialsOf(options);
  let latest = Promise.resolve(first);
  let madeAt = performance.now();
  const credentials = (renew: boolean): Promise<Credentials> => {
    if (renew || performance.now() - madeAt > reuseMs) {
      madeAt = performance.now();
      latest = (renew ? withoutCaches(kubeConfig) : Promise.resolve(kubeConfig)).then(authenticate).then(credentialsOf);
    }
    return latest;
  };
  const namespace = kubeConfig.getContextObject(kubeConfig.getCurrentContext())?.namespace;
  return {
    server: cluster.server,
    ...first.certificates,
    ...(options.servername !== undefined && { serverName: options.servername }),
    ...(cluster.skipTLSVerify && { skipTlsVerify: true }),
    ...(cluster.proxyUrl !== undefined && { proxy: proxyTunnel(cluster.proxyUrl, options.agent) }),
    ...(namespace !== undefined && { namespace }),
    certificates: async () => (await credentials(false)).certificates,
    headers: async ({ renew }) => (await credentials(renew)).headers,
  };
}

/** client-node keeps what a plugin answered until it expires, even if the API server has refused it. */
async function withoutCaches(kubeConfig: KubeConfig): Promise<KubeConfig> {
  const { KubeConfig: Fresh } = await import("@kubernetes/client-node/dist/config.js");
  const { authenticators } = new Fresh() as unknown as { readonly authenticators: unknown };
  return Object.assign(Object.create(Object.getPrototypeOf(kubeConfig)), kubeConfig, { authenticators });
}

async function authenticate(kubeConfig: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = { headers: {} };
  await kubeConfig.applyToHTTPSOptions(options);
  return options;
}

function credentialsOf(options: RequestOptions): Credentials {
  const { ca, cert, key } = options;
  return {
    headers: headersOf(options),
    certificates: { ca: ca && String(ca), cert: cert && String(cert), key: key && String(key) },
  };
}

function headersOf({ headers = {}, auth }: RequestOptions): Headers {
  const strings = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const basic = auth ? { authorization: `Basic ${Buffer.from(auth).toString("base64")}` } : {};
  return { ...Object.fromEntries(strings), ...basic };
}
