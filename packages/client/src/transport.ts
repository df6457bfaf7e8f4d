import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Duration, milliseconds } from "@trimtab/apimachinery";
import { AnswerStream } from "./answer-stream.ts";
import { isApiError } from "./api-error.ts";
import { type ApiRequest, describeRequest } from "./api-request.ts";
import type { Connection } from "./connection.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { errorOf } from "./failed-answer.ts";
import { HttpExchange } from "./http-exchange.ts";
import { RequestWriter, type WrittenRequest } from "./request-writer.ts";
import { retryDelayMs } from "./retry.ts";
import { type ServerSockets, serverSockets } from "./server-sockets.ts";
import { TransportError } from "./transport-error.ts";
import { type Answer, WholeAnswer } from "./whole-answer.ts";

export interface TransportRequest {
  readonly asked: ApiRequest;
  /** With its query. */
  readonly path: string;
  readonly body?: object;
  /** @default "application/json" */
  readonly contentType?: string;
  /** Whether it does no more when processed twice than once. @default true for a get, list, watch and update */
  readonly isRepeatable?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportOptions {
  readonly connection: Connection;
  readonly userAgent: string;
  /** Asked each time that a write is about to be sent: what it throws is what the write rejects with. */
  readonly fence?: (() => void) | undefined;
  readonly requestTimeout?: Duration | undefined;
  readonly onRequest?: ((request: AnsweredRequest) => void) | undefined;
}

export interface AnsweredRequest {
  readonly method: string;
  readonly host: string;
  /** HTTP status, or `"<error>"` where there was none, as client-go labels it. */
  readonly code: string;
  /** Until the answer was complete; of a watch, until it began. */
  readonly durationMs: number;
}

/** Each connection costs a TLS handshake, so a burst of requests waits rather than opening one for each. */
const maxConnections = 32;

const methods = {
  create: "POST",
  delete: "DELETE",
  get: "GET",
  list: "GET",
  patch: "PATCH",
  update: "PUT",
  watch: "GET",
} as const satisfies Readonly<Record<ApiRequest["verb"], string>>;

const reads: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/**
 * HTTP/1.1 over kept-alive connections to one API server; `retryDelayMs` says what is sent again. Watches have
 * connections of their own, so that they never keep a request waiting.
 *
 * It speaks HTTP itself because most of what a request costs here is Node's `http`: per GET of 2 KB, 8 at once, on a
 * real API server, `node:https` took twice its CPU time (276 against 123 µs) and `node:http2` 202 µs; a process of
 * nothing else held 10 and 45 MB more by them than by the bare sockets that this is made of.
 */
export class Transport {
  readonly #options: TransportOptions;
  readonly #host: string;
  readonly #requestTimeoutMs: number;
  readonly #writer: RequestWriter;
  readonly #sockets: ServerSockets;
  readonly #requests: ConnectionPool;
  readonly #watches: ConnectionPool;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#host = new URL(options.connection.server).host;
    this.#requestTimeoutMs = milliseconds(options.requestTimeout ?? "30s");
    this.#writer = new RequestWriter(options.connection, options.userAgent);
    this.#sockets = serverSockets(options.connection);
    const open = (): Promise<Socket> => this.#sockets.open();
    this.#requests = new ConnectionPool({ open, maxConnections });
    this.#watches = new ConnectionPool({ open });
  }

  /** The decoded body of a successful answer. */
  async send<T>(request: TransportRequest): Promise<T> {
    const { asked, signal } = request;
    const isRead = reads.has(asked.verb);
    const isRepeatable = request.isRepeatable ?? (isRead || asked.verb === "update");
    const body = request.body && JSON.stringify(request.body);
    let renewed = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return decode<T>(await this.#answer(request, body, renewed), asked);
      } catch (error) {
        signal?.throwIfAborted();
        const delayMs = retryDelayMs({ error, attempt, renewed, isRepeatable });
        if (delayMs === undefined) throw error;
        renewed = isApiError(error, "Unauthorized");
        if (renewed) this.#renew(this.#requests);
        await sleep(delayMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  }

  /**
   * The body of a successful answer as it arrives; tried again on a 401 only.
   *
   * @param idleTimeoutMs it fails when nothing is heard for this long, from the request on; 0 is never
   */
  async stream(request: TransportRequest, idleTimeoutMs: number): Promise<AnswerStream> {
    for (let renewed = false; ; renewed = true) {
      if (renewed) this.#renew(this.#watches);
      const text = await this.#writer.write(written(request, undefined), renewed);
      const beginMs = performance.now();
      const stream = new AnswerStream(this.#watches, { text, idleTimeoutMs, signal: request.signal });
      const { statusCode, retryAfter } = await stream.open().catch((cause) => this.#failed(request, beginMs, cause));
      this.#report(request, String(statusCode), beginMs);
      if (statusCode < 300) return stream;
      const error = errorOf({ statusCode, retryAfter, text: await textOf(stream) }, request.asked);
      if (renewed || statusCode !== 401) throw error;
    }
  }

  close(): void {
    this.#requests.close();
    this.#watches.close();
  }

  /** What was refused may be the certificate, which a connection has shown once and for all. */
  #renew(pool: ConnectionPool): void {
    if (this.#options.connection.cert === undefined) return;
    this.#sockets.renew();
    pool.retire();
  }

  async #answer(request: TransportRequest, body: string | undefined, renew: boolean): Promise<Answer> {
    const text = await this.#writer.write(written(request, body), renew);
    const beginMs = performance.now();
    let refusal: unknown;
    const fence = (): void => {
      try {
        this.#options.fence?.();
      } catch (error) {
        refusal = error;
        throw error;
      }
    };
    const http = {
      text,
      idleTimeoutMs: this.#requestTimeoutMs,
      signal: request.signal,
      // Not before: it may have waited for credentials, or for a connection.
      fence: reads.has(request.asked.verb) ? undefined : fence,
    };
    try {
      const answer = await new Promise<Answer>((resolve, reject) =>
        new HttpExchange(this.#requests, http, new WholeAnswer(resolve, reject)).submit(),
      );
      this.#report(request, String(answer.statusCode), beginMs);
      return answer;
    } catch (cause) {
      if (refusal !== undefined) throw refusal;
      return this.#failed(request, beginMs, cause as Error);
    }
  }

  #failed(request: TransportRequest, beginMs: number, cause: Error): never {
    request.signal?.throwIfAborted();
    this.#report(request, "<error>", beginMs);
    throw new TransportError(`${describeRequest(request.asked)}: ${cause.message}`, { cause });
  }

  #report({ asked }: TransportRequest, code: string, beginMs: number): void {
    const { onRequest } = this.#options;
    if (onRequest === undefined) return;
    onRequest({ method: methods[asked.verb], host: this.#host, code, durationMs: performance.now() - beginMs });
  }
}

function written({ asked, path, contentType }: TransportRequest, body: string | undefined): WrittenRequest {
  return { method: methods[asked.verb], path, body, contentType };
}

function decode<T>(answer: Answer, asked: ApiRequest): T {
  if (answer.statusCode >= 300) throw errorOf(answer, asked);
  try {
    return JSON.parse(answer.text) as T;
  } catch {
    // The parser's own message would quote the answer, and with it perhaps a secret.
    throw new TransportError(`${describeRequest(asked)}: the answer, ${answer.text.length} characters, is not JSON`);
  }
}

async function textOf(stream: AnswerStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
