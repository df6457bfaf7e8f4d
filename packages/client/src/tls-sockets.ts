import { isIP, type Socket, type TcpNetConnectOpts } from "node:net";
import { connect, createSecureContext, type SecureContext } from "node:tls";
import type { Certificates, Connection } from "./connection.ts";
import { openedSocket } from "./opened-socket.ts";

/** As often as a token's file is read again. */
const rereadMs = 60_000;

/** Who connections trust and show to be. */
interface Identity {
  readonly certificates: Certificates;
  /** Made once for many connections: certificates are dear to parse. */
  readonly context: SecureContext;
  /** The next connection resumes it: a server takes who resumes a session for whom it was then. */
  session: Buffer | undefined;
}

/**
 * Opens TLS connections to one API server.
 *
 * Certificates that are renewed where they are kept (`Connection.certificates`) are read again by the first connection
 * after a minute, and by one that fails. Those that cannot be read, or used, do not take the place of those that are known.
 */
export class TlsSockets {
  readonly #connection: Connection;
  readonly #place: TcpNetConnectOpts & { readonly host: string };
  #identity: Promise<Identity>;
  #readMs = performance.now();

  /** @throws {Error} if the certificates are none */
  constructor(connection: Connection, place: TcpNetConnectOpts & { readonly host: string }) {
    this.#connection = connection;
    this.#place = place;
    this.#identity = Promise.resolve(identityOf(connection));
  }

  async open(): Promise<Socket> {
    const identity = await this.#latest();
    try {
      return await this.#connect(identity);
    } catch (error) {
      this.renew();
      const renewed = await this.#latest();
      if (renewed === identity) throw error;
      return this.#connect(renewed);
    }
  }

  renew(): void {
    this.#readMs = Number.NEGATIVE_INFINITY;
  }

  async #connect(identity: Identity): Promise<Socket> {
    const { serverName, skipTlsVerify, proxy } = this.#connection;
    const { host } = this.#place;
    const through = proxy && (await proxy(this.#place));
    const socket = connect({
      ...this.#place,
      secureContext: identity.context,
      session: identity.session,
      servername: serverName ?? (isIP(host) === 0 ? host : ""),
      rejectUnauthorized: skipTlsVerify !== true,
      ALPNProtocols: ["http/1.1"],
      ...(through !== undefined && { socket: through }),
    });
    socket.setNoDelay(true);
    socket.on("session", (latest) => {
      identity.session = latest;
    });
    return openedSocket(socket, "secureConnect");
  }

  #latest(): Promise<Identity> {
    const { certificates } = this.#connection;
    const now = performance.now();
    if (certificates !== undefined && now - this.#readMs > rereadMs) {
      this.#readMs = now;
      const known = this.#identity;
      this.#identity = certificates()
        .then(async (latest) => (isSame(latest, (await known).certificates) ? known : identityOf(latest)))
        .catch(() => known);
    }
    return this.#identity;
  }
}

function identityOf({ ca, cert, key }: Certificates): Identity {
  const certificates = { ca, cert, key };
  return { certificates, context: createSecureContext(certificates), session: undefined };
}

function isSame(one: Certificates, other: Certificates): boolean {
  return one.ca === other.ca && one.cert === other.cert && one.key === other.key;
}
