import { describe, expect, it } from "vitest";
import { Random } from "./random.fixture.ts";
import { mutated, piecesOf, randomAnswer } from "./random-answer.fixture.ts";
import { type ResponseHead, ResponseParser } from "./response-parser.ts";

/** All that a parser told of an answer, and what it threw. */
interface Told {
  readonly heads: readonly ResponseHead[];
  readonly body: Buffer;
  readonly isDone: boolean;
  readonly error: string | undefined;
}

class ParserUnderTest {
  readonly #parser: ResponseParser;
  #heads: ResponseHead[] = [];
  #body: Buffer[] = [];

  constructor() {
    this.#parser = new ResponseParser({
      head: (head) => this.#heads.push(head),
      body: (chunk) => this.#body.push(chunk),
    });
  }

  /** One answer, after which the connection ends or not. */
  read(pieces: readonly Buffer[], ends: boolean): Told {
    this.#heads = [];
    this.#body = [];
    let error: string | undefined;
    this.#parser.begin();
    try {
      for (const piece of pieces) this.#parser.push(piece);
      if (ends) this.#parser.finish();
    } catch (thrown) {
      if (!(thrown instanceof Error) || thrown.constructor !== Error) throw thrown;
      error = thrown.message;
    }
    return { heads: this.#heads, body: Buffer.concat(this.#body), isDone: this.#parser.isDone, error };
  }
}

describe("ResponseParser, by random answers", () => {
  it("reads what was sent, one answer after the other, however the bytes are cut", () => {
    for (let seed = 1; seed <= 1_500; seed += 1) {
      const random = new Random(seed);
      const parser = new ParserUnderTest();
      for (let count = 0; count < 3; count += 1) {
        const { bytes, statusCode, retryAfter, keepsAlive, body, isOpenEnded } = randomAnswer(random);
        const told = parser.read(piecesOf(random, bytes), !keepsAlive);
        const heads = [{ statusCode, retryAfter, keepsAlive }];
        expect(told, `seed ${seed}`).toEqual({ heads, body, isDone: true, error: undefined });
        if (isOpenEnded || !keepsAlive) break;
      }
    }
  });

  it("makes the same of bytes that are no valid answer, however they are cut: an error, or an answer", () => {
    let refused = 0;
    for (let seed = 1; seed <= 3_000; seed += 1) {
      const random = new Random(seed);
      const bytes = mutated(random, randomAnswer(random).bytes);
      const told = new ParserUnderTest().read([bytes], true);
      expect(new ParserUnderTest().read(piecesOf(random, bytes), true), `seed ${seed}`).toEqual(told);
      expect(told.body.length, `seed ${seed}`).toBeLessThanOrEqual(bytes.length);
      expect(told.heads.length, `seed ${seed}`).toBeLessThanOrEqual(1);
      if (told.isDone && told.error === undefined) expect(told.heads, `seed ${seed}`).toHaveLength(1);
      if (told.error !== undefined) refused += 1;
    }
    // Else the bytes that were changed are not those that matter.
    expect(refused).toBeGreaterThan(500);
  });

  it("makes nothing worse than an error of noise", () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const random = new Random(seed);
      const noise = Buffer.concat([Buffer.from(random.pick(["", "HTTP/1.1 200 OK\r\n"])), random.bytes(300)]);
      const { isDone, error } = new ParserUnderTest().read(piecesOf(random, noise), true);
      expect(isDone && error === undefined, `seed ${seed}`).toBe(false);
    }
  });
});
