import { isIP, type Socket, connect as tcpConnect } from "node:net";
import { createSecureContext, connect as tlsConnect } from "node:tls";
import type { Connection } from "./connection.ts";

/** TCP asks a silent peer after this long whether it is still there. */
const keepAliveMs = 30_000;
/** TCP and TLS together; a server that is well takes milliseconds. */
const connectTimeoutMs = 10_000;

/** Opens connections to an API server, by TLS unless its URL says `http:`; they resume one TLS session. */
export function socketOpener(connection: Connection): () => Promise<Socket> {
  const { protocol, hostname, port } = new URL(connection.server);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isPlain = protocol === "http:";
  const place = {
    host,
    port: Number(port) || (isPlain ? 80 : 443),
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
  };
  if (isPlain) return () => opened(tcpConnect({ ...place, noDelay: true }), "connect");
  const { ca, cert, key, serverName = isIP(host) === 0 ? host : "", skipTlsVerify, proxy } = connection;
  const tls = {
    ...place,
    // Made once: certificates are dear to parse.
    secureContext: createSecureContext({ ca, cert, key }),
    servername: serverName,
    rejectUnauthorized: skipTlsVerify !== true,
    ALPNProtocols: ["http/1.1"],
  };
  let session: Buffer | undefined;
  return async () => {
    const through = proxy && (await proxy(place));
    const socket = tlsConnect({ ...tls, session, ...(through !== undefined && { socket: through }) });
    socket.setNoDelay(true);
    socket.on("session", (latest) => {
      session = latest;
    });
    return opened(socket, "secureConnect");
  };
}

function opened(socket: Socket, event: "connect" | "secureConnect"): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(connectTimeoutMs, () =>
      socket.destroy(new Error(`no connection within ${connectTimeoutMs / 1_000} s`)),
    );
    socket.once("error", reject);
    socket.once(event, () => {
      socket.setTimeout(0);
      socket.removeAllListeners("timeout");
      socket.removeListener("error", reject);
      resolve(socket);
    });
  });
}
