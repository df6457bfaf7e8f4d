import type { Socket } from "node:net";
import { type ResponseHead, ResponseParser, type ResponseSink } from "./response-parser.ts";

/** Is told of one answer, or of what broke it off. */
export interface AnswerSink extends ResponseSink {
  /** The answer is complete. */
  end(): void;
  /** Called instead of `end`. */
  fail(cause: Error): void;
}

/** Is told when a connection may be used for another request, or never may again. */
export interface ConnectionOwner {
  freed(connection: HttpConnection): void;
  closed(connection: HttpConnection): void;
}

/** One connection to the API server: one request at a time, and its answer. */
export class HttpConnection implements ResponseSink {
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #parser: ResponseParser = new ResponseParser(this);
  /** Whose answer is under way. */
  #sink: AnswerSink | undefined;
  #keepsAlive = true;
  #isRetired = false;
  #idleTimeoutMs = 0;

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#owner = owner;
    socket.on("data", (bytes: Buffer) => this.#take(bytes));
    socket.on("end", () => this.#ended());
    socket.on("error", (error: Error) => this.destroy(error));
    socket.on("close", () => this.#ended());
    socket.on("timeout", () => this.destroy(new Error(`nothing was heard for ${this.#idleTimeoutMs / 1_000} s`)));
  }

  /**
   * Sends a request; its answer goes to the sink.
   *
   * @param idleTimeoutMs silence after which it closes, within the answer or until the next request; 0 is never
   */
  send(request: string, sink: AnswerSink, idleTimeoutMs: number): void {
    this.#sink = sink;
    this.#parser.begin();
    if (idleTimeoutMs !== this.#idleTimeoutMs) this.#socket.setTimeout(idleTimeoutMs);
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#socket.ref();
    // The reader of the answer before may have left it paused.
    this.#socket.resume();
    this.#socket.write(request);
  }

  /** Keeps no process alive until the next request. */
  rest(): void {
    this.#socket.unref();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Closes as soon as no answer is under way. */
  retire(): void {
    this.#isRetired = true;
    if (this.#sink === undefined) this.#close();
  }

  /** Closes at once; the answer under way fails with `cause`. */
  destroy(cause: Error): void {
    const sink = this.#sink;
    this.#sink = undefined;
    this.#close();
    sink?.fail(cause);
  }

  head(head: ResponseHead): void {
    this.#keepsAlive = head.keepsAlive;
    this.#sink?.head(head);
  }

  body(chunk: Buffer): void {
    this.#sink?.body(chunk);
  }

  #take(bytes: Buffer): void {
    try {
      this.#parser.push(bytes);
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    if (this.#parser.isDone) this.#complete();
  }

  #complete(): void {
    const sink = this.#sink;
    if (sink === undefined) return;
    this.#sink = undefined;
    if (this.#keepsAlive && !this.#isRetired) this.#owner.freed(this);
    else this.#close();
    sink.end();
  }

  #close(): void {
    this.#keepsAlive = false;
    this.#socket.destroy();
    this.#owner.closed(this);
  }

  #ended(): void {
    this.#parser.finish();
    if (this.#parser.isDone) this.#complete();
    if (this.#sink !== undefined || this.#keepsAlive) this.destroy(brokenOff());
  }
}

function brokenOff(): Error {
  return Object.assign(new Error("the connection was closed before the answer was complete"), { code: "ECONNRESET" });
}
