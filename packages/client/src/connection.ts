import type { Socket } from "node:net";

/** Where an API server is, and how to be let in: all that a transport needs to know. */
export interface Connection {
  /** `https://host:port`, with a path if the server stands behind one. */
  readonly server: string;
  /** PEM. @default the system's roots */
  readonly ca?: string;
  /** The name that the server's certificate must carry. @default the host of `server` */
  readonly serverName?: string;
  readonly skipTlsVerify?: boolean;
  /** Client certificate and key, PEM. */
  readonly cert?: string;
  readonly key?: string;
  /**
   * The headers that authenticate a request, such as `authorization`; cheap, called for each request.
   * `renew` is true after a 401: whatever was cached must be thrown away and made anew.
   */
  readonly headers?: (options: { readonly renew: boolean }) => Promise<Readonly<Record<string, string>>>;
  /** Reaches the server through a proxy: resolves with a connection to it that is yet to speak TLS. @default directly */
  readonly proxy?: (server: { readonly host: string; readonly port: number }) => Promise<Socket>;
  /** The namespace that the kubeconfig's context, or the pod, is in. */
  readonly namespace?: string;
}
