import { request } from "node:https";

/** Where an API server is, and what lets one in. */
export interface ApiAccess {
  /** `https://host:port` */
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

export interface ApiRequest {
  readonly path: string;
  /** Sent by POST, as JSON. @default nothing, by GET */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiAnswer {
  readonly code: number;
  readonly text: string;
}

/** One request on a connection of its own, for what the client has no verb for: `/readyz`, and tokens. */
export function apiRequest({ server, ca, token }: ApiAccess, { path, body, signal }: ApiRequest): Promise<ApiAnswer> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "user-agent": "trimtab-envtest",
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const method = body === undefined ? "GET" : "POST";
    const options = { method, ca, headers, agent: false, ...(signal && { signal }) } as const;
    request(`${server}${path}`, options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ code: response.statusCode ?? 0, text }));
      response.on("error", reject);
    })
      .on("error", reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}
