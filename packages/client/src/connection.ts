import type { Socket } from "node:net";

/** PEM. */
export interface Certificates {
  /** Whom to trust. @default the system's roots */
  readonly ca?: string | undefined;
  /** The client's own, and its key. @default none */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Where an API server is, and how to be let in: all that a transport needs to know. */
export interface Connection extends Certificates {
  /** `https://host:port`, with a path if the server stands behind one. */
  readonly server: string;
  /** The name that the server's certificate must carry. @default the host of `server` */
  readonly serverName?: string;
  readonly skipTlsVerify?: boolean;
  /** `ca`, `cert` and `key` as they are now, where they are renewed. @default they stay as they are */
  readonly certificates?: () => Promise<Certificates>;
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
