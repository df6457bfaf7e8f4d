import { createServer, type Server } from "node:http";
import { answerHealth, type HealthCheck } from "./health-check.ts";

export interface HealthServerOptions {
  readonly healthz: () => readonly HealthCheck[];
  readonly readyz: () => readonly HealthCheck[];
}

/** Serves `/healthz` and `/readyz`, each with `?verbose`, `?exclude=<name>` and `/<name>`. */
export function createHealthServer({ healthz, readyz }: HealthServerOptions): Server {
  return createServer((request, response) => {
    const asked = parse(request.url ?? "/");
    if (asked === undefined) {
      response.writeHead(400).end("this is no path\n");
      return;
    }
    const { endpoint, only, searchParams } = asked;
    if (endpoint === "") {
      response.writeHead(404).end("serves /healthz and /readyz\n");
      return;
    }
    const { statusCode, body } = answerHealth(endpoint === "healthz" ? healthz() : readyz(), {
      endpoint,
      exclude: searchParams.getAll("exclude"),
      verbose: searchParams.has("verbose"),
      ...(only !== undefined && { only }),
    });
    const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
    response.writeHead(statusCode, headers).end(body);
  });
}

interface Asked {
  /** "" if it is neither. */
  readonly endpoint: "" | "healthz" | "readyz";
  readonly only: string | undefined;
  readonly searchParams: URLSearchParams;
}

/** `undefined` for what anybody may send and nobody can read, such as `//` or `/healthz/%`. */
function parse(url: string): Asked | undefined {
  try {
    const { pathname, searchParams } = new URL(url, "http://health");
    const [, endpoint = "", only] = /^\/(healthz|readyz)(?:\/(.+))?$/.exec(pathname) ?? [];
    return {
      endpoint: endpoint as Asked["endpoint"],
      only: only === undefined ? undefined : decodeURIComponent(only),
      searchParams,
    };
  } catch {
    return undefined;
  }
}
