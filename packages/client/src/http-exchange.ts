import type { ConnectionPool, PooledRequest } from "./connection-pool.ts";
import type { AnswerSink, HttpConnection } from "./http-connection.ts";
import type { ResponseHead } from "./response-parser.ts";

export interface HttpRequest {
  /** Head and body, as sent. */
  readonly text: string;
  /** Give up when nothing is heard for this long, be it before or within the answer; 0 is never. */
  readonly idleTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Asked at the last moment before it is sent: what it throws is what it fails with. */
  readonly fence?: (() => void) | undefined;
}

/** One request on its way to its answer; fails with the signal's reason once that aborts. */
export class HttpExchange implements PooledRequest, AnswerSink {
  readonly #pool: ConnectionPool;
  readonly #request: HttpRequest;
  readonly #sink: AnswerSink;
  #connection: HttpConnection | undefined;

  constructor(pool: ConnectionPool, request: HttpRequest, sink: AnswerSink) {
    this.#pool = pool;
    this.#request = request;
    this.#sink = sink;
  }

  submit(): void {
    const { signal } = this.#request;
    if (signal?.aborted === true) {
      this.#sink.fail(signal.reason);
      return;
    }
    // The object itself listens, which spares a closure for each request.
    signal?.addEventListener("abort", this);
    this.#pool.submit(this);
  }

  /** Ends it, wherever it is. */
  cancel(cause: Error): void {
    if (this.#connection !== undefined) this.#connection.destroy(cause);
    else {
      this.#pool.withdraw(this);
      this.fail(cause);
    }
  }

  pause(): void {
    this.#connection?.pause();
  }

  resume(): void {
    this.#connection?.resume();
  }

  handleEvent(): void {
    this.cancel(this.#request.signal?.reason);
  }

  start(connection: HttpConnection): void {
    const { text, idleTimeoutMs, fence } = this.#request;
    try {
      fence?.();
    } catch (refusal) {
      this.fail(refusal as Error);
      this.#pool.freed(connection);
      return;
    }
    this.#connection = connection;
    connection.send(text, this, idleTimeoutMs);
  }

  head(head: ResponseHead): void {
    this.#sink.head(head);
  }

  body(chunk: Buffer): void {
    this.#sink.body(chunk);
  }

  end(): void {
    this.#settle();
    this.#sink.end();
  }

  fail(cause: Error): void {
    this.#settle();
    this.#sink.fail(cause);
  }

  #settle(): void {
    this.#connection = undefined;
    this.#request.signal?.removeEventListener("abort", this);
  }
}
