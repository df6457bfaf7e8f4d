import { Agent, request } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";

/** The least that can talk to an API server: keep-alive connections, JSON, nothing else. The floor is timed with it. */
export class BareClient {
  readonly #server: URL;
  readonly #tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent: Agent;

  constructor(kubeConfig: KubeConfig, connections: number, userAgent: string) {
    const cluster = kubeConfig.getCurrentCluster();
    const user = kubeConfig.getCurrentUser();
    if (cluster === null || user === null) throw new Error("the kubeconfig has no current context");
    this.#server = new URL(cluster.server);
    this.#tls = {
      ...(cluster.caData !== undefined && { ca: decode(cluster.caData) }),
      ...(user.certData !== undefined && { cert: decode(user.certData) }),
      ...(user.keyData !== undefined && { key: decode(user.keyData) }),
    };
    this.#headers = {
      "user-agent": userAgent,
      ...(user.token !== undefined && { authorization: `Bearer ${user.token}` }),
    };
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: "fifo", ...this.#tls });
  }

  async call<T>(method: string, path: string, body?: unknown, contentType = "application/json"): Promise<T> {
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return new Promise<T>((resolve, reject) => {
      const call = request(
        {
          host: this.#server.hostname,
          port: this.#server.port,
          method,
          path,
          agent: this.#agent,
          headers: {
            ...this.#headers,
            ...(payload !== undefined && { "content-type": contentType, "content-length": payload.length }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString();
            if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(text) as T);
            else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
          });
        },
      );
      call.on("error", reject);
      call.end(payload);
    });
  }

  /** Calls `onEvent` with each event of a watch from now on, until the signal aborts. */
  watch(path: string, resourceVersion: string, signal: AbortSignal, onEvent: (event: WatchLine) => void): void {
    const query = `${path}?watch=true&resourceVersion=${resourceVersion}`;
    const agent = new Agent({ keepAlive: false, ...this.#tls });
    const { hostname: host, port } = this.#server;
    const call = request({ host, port, path: query, agent, headers: this.#headers, signal }, (response) => {
      let rest = "";
      response.setEncoding("utf8");
      response.on("error", () => {});
      response.on("data", (chunk: string) => {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) onEvent(JSON.parse(line) as WatchLine);
      });
    });
    call.on("error", (error) => {
      if (!signal.aborted) throw error;
    });
    call.end();
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** What the benchmark reads of an object. */
export interface Measured {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface WatchLine {
  readonly type: string;
  readonly object: Measured;
}

function decode(base64: string): string {
  return Buffer.from(base64, "base64").toString();
}
