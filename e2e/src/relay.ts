import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";

/** An address of TCP, or the path of a Unix socket, which reaches across network namespaces. */
export type Endpoint = { readonly host: string; readonly port: number } | { readonly path: string };

/** Reads `host:port`, or a path. */
export function parseEndpoint(text: string): Endpoint {
  if (text.startsWith("/")) return { path: text };
  const colon = text.lastIndexOf(":");
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}

/** Hands each connection that comes to `from` on to `to`, byte by byte; resolves once it listens. */
export async function relay(from: Endpoint, to: Endpoint): Promise<Server> {
  const server = createServer((near) => {
    const far = createConnection(to);
    join(near, far);
    join(far, near);
  });
  server.listen(from);
  await once(server, "listening");
  return server;
}

function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on("error", () => to.destroy());
  from.on("close", () => to.destroy());
}
