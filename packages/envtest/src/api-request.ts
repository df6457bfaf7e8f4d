import { request } from "node:https";

/** How the control plane's own administrator reaches it. */
export interface AdminAccess {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

/** One GET of a path that is no resource's, such as `/readyz`; its status code and body. */
export function getPath(
  { server, ca, token }: AdminAccess,
  path: string,
  signal?: AbortSignal,
): Promise<{ readonly code: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, "user-agent": "trimtab-envtest" };
    const options = { ca, headers, agent: false, ...(signal && { signal }) } as const;
    request(`${server}${path}`, options, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        body += chunk;
      });
      response.on("end", () => resolve({ code: response.statusCode ?? 0, body }));
      response.on("error", reject);
    })
      .on("error", reject)
      .end();
  });
}
