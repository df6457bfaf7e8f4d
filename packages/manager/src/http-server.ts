import { createServer, type Server } from "node:http";
import { answerHealth, type HealthCheck } from "./health-check.ts";

export interface HealthServerOptions {
  readonly healthz: () => readonly HealthCheck[];
  readonly readyz: () => readonly HealthCheck[];
}

/** Serves `/healthz` and `/readyz`, each with `?verbose`, `?exclude=<name>` and `/<name>`. */
export function createHealthServer({ healthz, readyz }: HealthServerOptions): Server {
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://health");
    const [, endpoint = "", only] = /^\/(healthz|readyz)(?:\/(.+))?$/.exec(pathname) ?? [];
    if (endpoint === "") {
      response.writeHead(404).end("serves /healthz and /readyz\n");
      return;
    }
    const { statusCode, body } = answerHealth(endpoint === "healthz" ? healthz() : readyz(), {
      endpoint,
      exclude: searchParams.getAll("exclude"),
      verbose: searchParams.has("verbose"),
      ...(only !== undefined && { only: decodeURIComponent(only) }),
    });
    const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
    response.writeHead(statusCode, headers).end(body);
  });
}
