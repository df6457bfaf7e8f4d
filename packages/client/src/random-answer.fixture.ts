import type { Random } from "./random.fixture.ts";

/** An HTTP/1.1 answer, and what a client is to make of it. */
export interface RandomAnswer {
  readonly bytes: Buffer;
  readonly statusCode: number;
  readonly retryAfter: string | undefined;
  readonly keepsAlive: boolean;
  readonly body: Buffer;
  /** Whether the body goes on until the connection ends. */
  readonly isOpenEnded: boolean;
}

/** A valid answer: of any framing, with interim answers before it, fields in any case and order, odd but legal blanks. */
export function randomAnswer(random: Random): RandomAnswer {
  const framing = random.pick(["length", "chunks", "end", "nothing"]);
  const statusCode = framing === "nothing" ? random.pick([204, 304]) : random.pick([200, 201, 404, 429, 500]);
  const retryAfter = random.pick([undefined, undefined, "3", "Fri, 31 Dec 1999 23:59:59 GMT"]);
  const closes = random.below(5) === 0;
  const body = framing === "nothing" ? Buffer.alloc(0) : random.bytes(random.below(200));
  const fields = [
    ...(retryAfter === undefined ? [] : [field(random, "Retry-After", retryAfter)]),
    ...(closes ? [field(random, "Connection", random.pick(["close", "Close"]))] : []),
    ...(framing === "length" ? [field(random, "Content-Length", String(body.length))] : []),
    ...(framing === "chunks" ? [field(random, "Transfer-Encoding", random.pick(["chunked", "Chunked"]))] : []),
    ...Array.from({ length: random.below(4) }, (_, index) => field(random, `X-Field-${index}`, `a: b, "${index}"`)),
  ].sort(() => random.below(3) - 1);
  const interim = Array.from({ length: random.below(3) }, () => "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
  const reason = random.pick([" OK", " ", "", " Not So Good"]);
  const head = `${interim.join("")}HTTP/1.1 ${statusCode}${reason}\r\n${fields.join("")}\r\n`;
  const isEmpty = framing === "nothing" || (framing === "length" && body.length === 0);
  return {
    bytes: Buffer.concat([Buffer.from(head), framing === "chunks" ? chunksOf(random, body) : body]),
    statusCode,
    retryAfter,
    keepsAlive: !closes && framing !== "end",
    body,
    isOpenEnded: framing === "end" && !isEmpty,
  };
}

function field(random: Random, name: string, value: string): string {
  const cased = random.pick([name, name.toLowerCase(), name.toUpperCase()]);
  return `${cased}:${random.pick(["", " ", "\t "])}${value}${random.pick(["", " "])}\r\n`;
}

function chunksOf(random: Random, body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const chunk = body.subarray(at, at + 1 + random.below(50));
    const size = random.pick(["", "0", "000"]) + chunk.length.toString(16);
    const extension = random.pick(["", ";name=value", " ;x", "\t"]);
    parts.push(Buffer.from(`${random.pick([size, size.toUpperCase()])}${extension}\r\n`), chunk, Buffer.from("\r\n"));
    at += chunk.length;
  }
  const trailers = random.pick(["", "X-Trailer: 1\r\n", "Content-Length: 7\r\nX: y\r\n"]);
  return Buffer.concat([...parts, Buffer.from(`${random.pick(["0", "000"])}\r\n${trailers}\r\n`)]);
}

/** The same bytes but for a few: changed, left out, doubled, or with others in between, of those that mean something. */
export function mutated(random: Random, bytes: Buffer): Buffer {
  let result = bytes;
  for (let count = 1 + random.below(4); count > 0; count -= 1) {
    const at = random.below(result.length + 1);
    const until = Math.min(result.length, at + random.below(6));
    const other = random.pick([
      Buffer.alloc(0),
      random.bytes(1 + random.below(3)),
      result.subarray(until, until + random.below(8)),
      Buffer.from(
        random.pick(["\r", "\n", "\r\n", "\r\n\r\n", "0", "f", "-", " ", ":", "chunked", "Content-Length: 5\r\n"]),
      ),
    ]);
    result = Buffer.concat([result.subarray(0, at), other, result.subarray(until)]);
  }
  return random.below(4) === 0 ? result.subarray(0, random.below(result.length + 1)) : result;
}

/** The bytes in pieces, cut anywhere. */
export function piecesOf(random: Random, bytes: Buffer): Buffer[] {
  const longest = random.pick([1, 3, 20, 500]);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const piece = bytes.subarray(at, at + 1 + random.below(longest));
    pieces.push(piece);
    at += piece.length;
  }
  return pieces;
}
