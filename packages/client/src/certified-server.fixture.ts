import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import type { SelfSigned } from "./self-signed.fixture.ts";

/** An API server as far as certificates go: by each request it asks whether that of the connection is still good. */
export class CertifiedServer {
  readonly #server: Server;
  /** What each request was answered with. */
  readonly answers: number[] = [];
  connections = 0;
  #accepts: SelfSigned;

  private constructor(serving: SelfSigned, accepts: SelfSigned) {
    this.#accepts = accepts;
    // Who is let in is said by the answer, as an API server does it.
    const options = { ...serving, requestCert: true, rejectUnauthorized: false };
    this.#server = createServer(options, ({ socket }, response) => {
      const { fingerprint256 } = (socket as TLSSocket).getPeerCertificate();
      const statusCode = fingerprint256 === this.#accepts.fingerprint ? 200 : 401;
      this.answers.push(statusCode);
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", resourceVersion: "1" } };
      // As an object, and as what a watch shows.
      response.writeHead(statusCode).end(`${JSON.stringify({ ...object, type: "ADDED", object })}\n`);
    });
    this.#server.on("secureConnection", () => {
      this.connections += 1;
    });
  }

  static async start(serving: SelfSigned, accepts: SelfSigned): Promise<CertifiedServer> {
    const server = new CertifiedServer(serving, accepts);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Shows another certificate from now on, and closes what is open. */
  serve(serving: SelfSigned): void {
    this.#server.setSecureContext(serving);
    this.#server.closeAllConnections();
  }

  /** Lets nobody in any more but who shows this certificate. */
  accept(certificate: SelfSigned): void {
    this.#accepts = certificate;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
