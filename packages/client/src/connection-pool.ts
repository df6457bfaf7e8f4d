import type { Socket } from "node:net";
import { type ConnectionOwner, HttpConnection } from "./http-connection.ts";

export interface ConnectionPoolOptions {
  readonly open: () => Promise<Socket>;
  /** Further requests wait for a connection to be free. @default as many as are asked for */
  readonly maxConnections?: number;
}

/** Waits for a connection. */
export interface PooledRequest {
  start(connection: HttpConnection): void;
  /** Called instead of `start` where none can be opened. */
  fail(cause: Error): void;
}

/**
 * Connections to one API server. A request gets the free one that was used last, as that is the least likely to have been
 * closed by the server; else whatever is first, a new one or one that comes free.
 */
export class ConnectionPool implements ConnectionOwner {
  readonly #open: () => Promise<Socket>;
  readonly #maxConnections: number;
  readonly #connections = new Set<HttpConnection>();
  readonly #free: HttpConnection[] = [];
  readonly #waiting = new Set<PooledRequest>();
  #opening = 0;
  #isClosed = false;

  constructor({ open, maxConnections = Number.POSITIVE_INFINITY }: ConnectionPoolOptions) {
    this.#open = open;
    this.#maxConnections = maxConnections;
  }

  submit(request: PooledRequest): void {
    if (this.#isClosed) {
      request.fail(closedByUs());
      return;
    }
    const connection = this.#free.pop();
    if (connection !== undefined) {
      request.start(connection);
      return;
    }
    this.#waiting.add(request);
    this.#openMore();
  }

  /** Takes a request back that waits. */
  withdraw(request: PooledRequest): void {
    this.#waiting.delete(request);
  }

  /** No further request is sent over the connections that there are; what is under way may end. */
  retire(): void {
    for (const connection of [...this.#connections]) connection.retire();
  }

  /** Ends what is under way. */
  close(): void {
    this.#isClosed = true;
    for (const request of this.#takeWaiting()) request.fail(closedByUs());
    for (const connection of [...this.#connections]) connection.destroy(closedByUs());
  }

  freed(connection: HttpConnection): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      connection.rest();
      this.#free.push(connection);
      return;
    }
    this.#waiting.delete(next);
    next.start(connection);
  }

  closed(connection: HttpConnection): void {
    this.#connections.delete(connection);
    const index = this.#free.indexOf(connection);
    if (index !== -1) this.#free.splice(index, 1);
    this.#openMore();
  }

  #openMore(): void {
    while (this.#waiting.size > this.#opening && this.#connections.size + this.#opening < this.#maxConnections) {
      this.#opening += 1;
      this.#open().then(
        (socket) => this.#opened(socket),
        (cause: Error) => this.#failed(cause),
      );
    }
  }

  #opened(socket: Socket): void {
    this.#opening -= 1;
    if (this.#isClosed) {
      socket.destroy();
      return;
    }
    const connection = new HttpConnection(socket, this);
    this.#connections.add(connection);
    this.freed(connection);
  }

  #failed(cause: Error): void {
    this.#opening -= 1;
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    next.fail(cause);
    this.#openMore();
  }

  #takeWaiting(): readonly PooledRequest[] {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    return waiting;
  }
}

function closedByUs(): Error {
  return new Error("the client was closed");
}
