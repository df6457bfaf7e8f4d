import { EventEmitter } from "node:events";
import type { Agent } from "node:http";
import type { Socket } from "node:net";
import type { Connection } from "./connection.ts";

/** A proxy that accepts a connection and stays silent must not hold up what waits for it. */
const tunnelTimeoutMs = 10_000;

type Proxy = NonNullable<Connection["proxy"]>;

/**
 * Reaches a server through a kubeconfig's `proxy-url`.
 *
 * @param agent client-node's, which knows SOCKS
 */
export function proxyTunnel(proxyUrl: string, agent: unknown): Proxy {
  if (proxyUrl.startsWith("socks")) return (server) => throughSocks(agent as SocksAgent, server);
  return (server) => throughHttp(new URL(proxyUrl), server);
}

/** `SocksProxyAgent`, which tells its request of what it does. */
interface SocksAgent extends Agent {
  connect(request: EventEmitter, options: object): Promise<Socket>;
}

function throughSocks(agent: SocksAgent, server: Parameters<Proxy>[0]): Promise<Socket> {
  const request = Object.assign(new EventEmitter(), { destroy: () => undefined });
  return agent.connect(request, { ...server, secureEndpoint: false });
}

/** RFC 9110, 9.3.6. */
async function throughHttp(proxy: URL, { host, port }: Parameters<Proxy>[0]): Promise<Socket> {
  const { request } = proxy.protocol === "https:" ? await import("node:https") : await import("node:http");
  const place = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const headers = {
    host: place,
    ...(proxy.username !== "" && { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` }),
  };
  return new Promise((resolve, reject) => {
    const call = request({
      host: proxy.hostname,
      port: proxy.port,
      method: "CONNECT",
      path: place,
      headers,
      agent: false,
    });
    call.once("connect", ({ statusCode }, socket) => {
      if (statusCode === 200) {
        socket.setTimeout(0);
        resolve(socket);
      } else {
        socket.destroy();
        reject(new Error(`the proxy ${proxy.host} refuses a tunnel to ${place}: it answers ${statusCode}`));
      }
    });
    call.setTimeout(tunnelTimeoutMs, () =>
      call.destroy(new Error(`the proxy ${proxy.host} has not answered within ${tunnelTimeoutMs / 1_000} s`)),
    );
    call.once("error", reject);
    call.end();
  });
}
