import type { RequestOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import type { Connection } from "./connection.ts";
import { ConnectionError } from "./connection-error.ts";
import { proxyTunnel } from "./proxy-tunnel.ts";

/** client-node's plugins and providers keep their own tokens; this spares asking them for each request. */
const reuseHeadersMs = 10_000;

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
  let headers = Promise.resolve(headersOf(options));
  let madeAt = performance.now();
  const namespace = kubeConfig.getContextObject(kubeConfig.getCurrentContext())?.namespace;
  return {
    server: cluster.server,
    ...(options.ca !== undefined && { ca: String(options.ca) }),
    ...(options.cert !== undefined && { cert: String(options.cert) }),
    ...(options.key !== undefined && { key: String(options.key) }),
    ...(options.servername !== undefined && { serverName: options.servername }),
    ...(cluster.skipTLSVerify && { skipTlsVerify: true }),
    ...(cluster.proxyUrl !== undefined && { proxy: proxyTunnel(cluster.proxyUrl, options.agent) }),
    ...(namespace !== undefined && { namespace }),
    headers: ({ renew }) => {
      if (renew || performance.now() - madeAt > reuseHeadersMs) {
        madeAt = performance.now();
        headers = (renew ? withoutCaches(kubeConfig) : Promise.resolve(kubeConfig)).then(authenticate).then(headersOf);
      }
      return headers;
    },
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

function headersOf({ headers = {}, auth }: RequestOptions): Readonly<Record<string, string>> {
  const strings = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const basic = auth ? { authorization: `Basic ${Buffer.from(auth).toString("base64")}` } : {};
  return { ...Object.fromEntries(strings), ...basic };
}
