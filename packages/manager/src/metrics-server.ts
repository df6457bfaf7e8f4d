import { readFile, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@trimtab/client";
import type { Logger } from "pino";
import type { Metrics } from "./metrics.ts";
import { MetricsAccess } from "./metrics-access.ts";
import type { MetricsSettings } from "./operator-settings.ts";
import { type ServingCertificate, selfSignedCertificate } from "./self-signed-certificate.ts";

export interface MetricsServerOptions extends Omit<MetricsSettings, "address"> {
  /** Stands in the certificate that is made where none is given. */
  readonly name: string;
  readonly metrics: Metrics;
  /** Asks the API server who may read metrics. */
  readonly client: Client;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** How often the files of a certificate are looked at: a renewed one is served within this time, as in controller-runtime. */
const reloadMs = 10_000;

/** Serves `/metrics`: over TLS and to who may read them, or plainly to everyone. */
export async function createMetricsServer(options: MetricsServerOptions): Promise<Server> {
  const { secure, certPath, name, metrics, client, signal, log } = options;
  if (!secure) return createServer((request, response) => answer(request, response, metrics));
  const access = new MetricsAccess(client);
  const certificate = certPath === undefined ? selfSignedCertificate(name) : await readCertificate(certPath);
  const server = createTlsServer({ ...certificate, minVersion: "TLSv1.2" }, async (request, response) => {
    try {
      const code = await access.of(request.headers.authorization, signal);
      if (code === 200) await answer(request, response, metrics);
      else response.writeHead(code).end(code === 401 ? "who are you?\n" : "not allowed to get /metrics\n");
    } catch (err) {
      log.warn({ err }, "cannot ask the API server who may read metrics");
      response.writeHead(503).end("cannot ask the API server who may read metrics\n");
    }
  });
  if (certPath !== undefined) void keepCertificate(server, certPath, options);
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse, { registry }: Metrics): Promise<void> {
  if (request.url?.split("?", 1)[0] !== "/metrics") {
    response.writeHead(404).end("serves /metrics\n");
    return;
  }
  const text = await registry.metrics();
  response.writeHead(200, { "content-type": registry.contentType }).end(text);
}

/** @throws Error that names the folder if it holds no certificate */
async function readCertificate(folder: string): Promise<ServingCertificate> {
  try {
    const [cert, key] = await Promise.all(["tls.crt", "tls.key"].map((file) => readFile(join(folder, file), "utf8")));
    return { cert: cert ?? "", key: key ?? "" };
  } catch (cause) {
    throw new Error(`cannot read tls.crt and tls.key in --metrics-cert-path ${folder}`, { cause });
  }
}

/** Polls, because a mounted Secret is swapped by a link that file watching misses. */
async function keepCertificate(
  server: TlsServer,
  folder: string,
  { signal, log }: MetricsServerOptions,
): Promise<void> {
  const age = async (): Promise<number> => (await stat(join(folder, "tls.crt"))).mtimeMs;
  let loaded = await age().catch(() => 0);
  while (!signal.aborted) {
    await sleep(reloadMs, undefined, { signal, ref: false }).catch(() => undefined);
    try {
      const current = await age();
      if (current === loaded) continue;
      server.setSecureContext(await readCertificate(folder));
      loaded = current;
    } catch (err) {
      log.warn({ err }, "cannot reload the certificate of the metrics server: the old one is served");
    }
  }
}
