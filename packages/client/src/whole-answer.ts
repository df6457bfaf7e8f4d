import type { AnswerSink } from "./http-connection.ts";
import type { ResponseHead } from "./response-parser.ts";

export interface Answer {
  readonly statusCode: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** Resolves a promise with an answer once that is complete. */
export class WholeAnswer implements AnswerSink {
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (cause: Error) => void;
  readonly #chunks: Buffer[] = [];
  #head: ResponseHead | undefined;

  constructor(resolve: (answer: Answer) => void, reject: (cause: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  head(head: ResponseHead): void {
    this.#head = head;
  }

  body(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  end(): void {
    const [first, ...others] = this.#chunks;
    const body = others.length === 0 ? first : Buffer.concat(this.#chunks);
    const { statusCode = 0, retryAfter } = this.#head ?? {};
    this.#resolve({ statusCode, retryAfter, text: body?.toString() ?? "" });
  }

  fail(cause: Error): void {
    this.#reject(cause);
  }
}
