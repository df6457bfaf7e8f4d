import { type Socket, connect as tcpConnect } from "node:net";
import type { Connection } from "./connection.ts";
import { openedSocket } from "./opened-socket.ts";
import { TlsSockets } from "./tls-sockets.ts";

/** Opens connections to one API server. */
export interface ServerSockets {
  open(): Promise<Socket>;
  /** Has what connections show of who they are read again for the next. */
  renew(): void;
}

/** TCP asks a silent peer after this long whether it is still there. */
const keepAliveMs = 30_000;

/** Connections by TLS, unless the server's URL says `http:`. @throws {Error} if the certificates are none */
export function serverSockets(connection: Connection): ServerSockets {
  const { protocol, hostname, port } = new URL(connection.server);
  const isPlain = protocol === "http:";
  const place = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (isPlain ? 80 : 443),
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
  };
  if (!isPlain) return new TlsSockets(connection, place);
  return {
    open: () => openedSocket(tcpConnect({ ...place, noDelay: true }), "connect"),
    renew: () => undefined,
  };
}
