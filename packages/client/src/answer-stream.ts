import type { ConnectionPool } from "./connection-pool.ts";
import type { AnswerSink } from "./http-connection.ts";
import { HttpExchange, type HttpRequest } from "./http-exchange.ts";
import type { ResponseHead } from "./response-parser.ts";

/** The server is held up while this many parts of the body wait to be read; each has 64 KiB at most. */
const maxWaiting = 8;

/**
 * The body of an answer as it arrives. Iterating ends where the answer does, and throws what broke it off;
 * breaking out of it closes the connection.
 */
export class AnswerStream implements AnswerSink, AsyncIterableIterator<Buffer> {
  readonly #exchange: HttpExchange;
  readonly #opened: PromiseWithResolvers<ResponseHead> = Promise.withResolvers();
  readonly #waiting: Buffer[] = [];
  #reader: PromiseWithResolvers<IteratorResult<Buffer>> | undefined;
  #isOver = false;
  #failure: Error | undefined;

  constructor(pool: ConnectionPool, request: HttpRequest) {
    this.#exchange = new HttpExchange(pool, request, this);
  }

  /** Sends the request; resolves with the head of its answer. */
  async open(): Promise<ResponseHead> {
    this.#exchange.submit();
    return this.#opened.promise;
  }

  async next(): Promise<IteratorResult<Buffer>> {
    const chunk = this.#waiting.shift();
    if (chunk !== undefined) {
      if (this.#waiting.length === 0) this.#exchange.resume();
      return { value: chunk, done: false };
    }
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isOver) return { value: undefined, done: true };
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  async return(): Promise<IteratorResult<Buffer>> {
    if (!this.#isOver) this.#exchange.cancel(new Error("nobody reads the answer any more"));
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  head(head: ResponseHead): void {
    this.#opened.resolve(head);
  }

  body(chunk: Buffer): void {
    if (this.#reader !== undefined) this.#takeReader()?.resolve({ value: chunk, done: false });
    else if (this.#waiting.push(chunk) >= maxWaiting) this.#exchange.pause();
  }

  end(): void {
    this.#isOver = true;
    this.#takeReader()?.resolve({ value: undefined, done: true });
  }

  fail(cause: Error): void {
    this.#isOver = true;
    this.#failure = cause;
    this.#opened.reject(cause);
    this.#takeReader()?.reject(cause);
  }

  #takeReader(): PromiseWithResolvers<IteratorResult<Buffer>> | undefined {
    const reader = this.#reader;
    this.#reader = undefined;
    return reader;
  }
}
