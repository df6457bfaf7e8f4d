import { type Agent, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type Status } from "./api-error.ts";
import type { Connection } from "./connection.ts";
import { TransportError } from "./transport-error.ts";

export interface TransportRequest {
  readonly method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
  /** @default "application/json" */
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportOptions {
  readonly connection: Connection;
  readonly userAgent: string;
  readonly onRequest?: ((request: AnsweredRequest) => void) | undefined;
}

export interface AnsweredRequest {
  readonly method: string;
  readonly host: string;
  /** HTTP status, or `"<error>"` where there was none, as client-go labels it. */
  readonly code: string;
  readonly durationMs: number;
}

/** A request that is not a watch and has no answer after this long is given up. */
const requestTimeoutMs = 30_000;
const maxAttempts = 4;
const longestRetryAfterMs = 10_000;
const keepAliveMs = 30_000;

/**
 * HTTP/1.1 over kept-alive connections to one API server.
 *
 * - A 401 is tried once more with renewed credentials, a 429 or 503 with `Retry-After` up to three times after that.
 * - A broken connection is tried again for GET and PUT, which may be sent twice, and never for others
 *   once a byte may have been processed.
 */
export class Transport {
  readonly #server: URL;
  readonly #basePath: string;
  readonly #request: typeof httpsRequest;
  readonly #connection: Connection;
  readonly #userAgent: string;
  readonly #onRequest: TransportOptions["onRequest"];
  readonly #agent: Agent;

  constructor({ connection, userAgent, onRequest }: TransportOptions) {
    this.#connection = connection;
    this.#server = new URL(connection.server);
    this.#basePath = this.#server.pathname.replace(/\/$/, "");
    this.#userAgent = userAgent;
    this.#onRequest = onRequest;
    const agentOptions = { keepAlive: true, keepAliveMsecs: keepAliveMs, scheduling: "lifo" as const };
    if (this.#server.protocol === "https:") {
      this.#request = httpsRequest;
      this.#agent =
        connection.agent ??
        new HttpsAgent({
          ...agentOptions,
          ...(connection.ca !== undefined && { ca: connection.ca }),
          ...(connection.cert !== undefined && { cert: connection.cert }),
          ...(connection.key !== undefined && { key: connection.key }),
          ...(connection.serverName !== undefined && { servername: connection.serverName }),
          rejectUnauthorized: connection.skipTlsVerify !== true,
        });
    } else {
      this.#request = httpRequest;
      this.#agent = connection.agent ?? new HttpAgent(agentOptions);
    }
  }

  /** The decoded body of a successful answer. */
  async send<T>(request: TransportRequest): Promise<T> {
    let renew = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await this.#open(request, renew, requestTimeoutMs);
        const text = await read(response);
        const { statusCode = 0 } = response;
        if (statusCode < 300) return JSON.parse(text) as T;
        throw errorOf(text, response, request);
      } catch (error) {
        request.signal?.throwIfAborted();
        const delayMs = retryDelayMs(error, request, attempt, renew);
        if (delayMs === undefined) throw error;
        renew = error instanceof ApiError && error.statusCode === 401;
        await sleep(delayMs, undefined, { ...(request.signal !== undefined && { signal: request.signal }) });
      }
    }
  }

  /**
   * The answer to a GET as it arrives, once its headers have; credentials are renewed on a 401.
   *
   * @param timeoutMs how long there may be silence: a stopped process's kernel still accepts connections. 0 is for ever
   */
  async stream(request: TransportRequest, timeoutMs: number): Promise<IncomingMessage> {
    for (const renew of [false, true]) {
      const response = await this.#open(request, renew, timeoutMs);
      if ((response.statusCode ?? 0) < 300) return response;
      const error = errorOf(await read(response), response, request);
      if (renew || error.statusCode !== 401) throw error;
    }
    throw new TransportError("unreachable");
  }

  close(): void {
    this.#agent.destroy();
  }

  async #open(request: TransportRequest, renew: boolean, timeoutMs: number): Promise<IncomingMessage> {
    const authentication = await this.#connection.headers?.({ renew });
    const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
    const begin = performance.now();
    const report = (code: string): void =>
      this.#onRequest?.({
        method: request.method,
        host: this.#server.host,
        code,
        durationMs: performance.now() - begin,
      });
    return new Promise((resolve, reject) => {
      const call = this.#request(
        {
          host: this.#server.hostname,
          port: this.#server.port,
          method: request.method,
          path: this.#basePath + request.path,
          agent: this.#agent,
          headers: {
            accept: "application/json",
            "user-agent": this.#userAgent,
            ...authentication,
            ...(body !== undefined && {
              "content-type": request.contentType ?? "application/json",
              "content-length": body.length,
            }),
          },
          ...(request.signal !== undefined && { signal: request.signal }),
        },
        (response) => {
          report(String(response.statusCode));
          resolve(response);
        },
      );
      if (timeoutMs > 0)
        call.setTimeout(timeoutMs, () => call.destroy(new Error(`no answer within ${timeoutMs / 1_000} s`)));
      call.on("error", (cause) => {
        report("<error>");
        reject(
          request.signal?.aborted === true
            ? request.signal.reason
            : new TransportError(`${describe(request)}: ${cause.message}`, { cause }),
        );
      });
      call.end(body);
    });
  }
}

function read(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("end", () => resolve(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString()));
    response.on("error", (cause) => reject(new TransportError("the answer broke off", { cause })));
  });
}

function describe({ method, path }: TransportRequest): string {
  const query = path.indexOf("?");
  return `${method} ${query === -1 ? path : path.slice(0, query)}`;
}

function errorOf(text: string, { statusCode = 0, headers }: IncomingMessage, request: TransportRequest): ApiError {
  const status = statusOf(text);
  const retryAfterSeconds = status.details?.retryAfterSeconds ?? Number(headers["retry-after"]);
  const details = { ...status.details, ...(retryAfterSeconds > 0 && { retryAfterSeconds }) };
  return ApiError.of({ ...status, details }, statusCode, describe(request));
}

function statusOf(text: string): Status {
  try {
    const body = JSON.parse(text) as Status;
    if (body?.kind === "Status") return body;
  } catch {
    // A proxy's page; its first line is all that can be said.
  }
  return { message: text.trim().split("\n", 1)[0]?.slice(0, 200) ?? "" };
}

/** `undefined`: do not try again. */
function retryDelayMs(
  error: unknown,
  { method }: TransportRequest,
  attempt: number,
  renewed: boolean,
): number | undefined {
  if (attempt >= maxAttempts) return undefined;
  if (error instanceof ApiError) {
    if (error.statusCode === 401) return renewed ? undefined : 0;
    const { retryAfterSeconds } = error.details;
    const busy = error.statusCode === 429 || error.statusCode === 503;
    if (!busy || retryAfterSeconds === undefined || retryAfterSeconds * 1_000 > longestRetryAfterMs) return undefined;
    return retryAfterSeconds * 1_000 * (1 + Math.random() / 4);
  }
  if (!(error instanceof TransportError)) return undefined;
  return method === "GET" || method === "PUT" ? 50 * 2 ** attempt * (1 + Math.random()) : undefined;
}
