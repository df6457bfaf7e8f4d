/** The head of an answer, as far as a client of an API server reads it. */
export interface ResponseHead {
  readonly statusCode: number;
  /** As sent: seconds, or a date. */
  readonly retryAfter: string | undefined;
  /** Whether the connection may be used for a further request. */
  readonly keepsAlive: boolean;
}

/** Is told of one answer as it arrives. */
export interface ResponseSink {
  head(head: ResponseHead): void;
  /** A part of the body; the bytes are the sink's to keep. */
  body(chunk: Buffer): void;
}

const maxHeadBytes = 65_536;
const noBytes: Buffer = Buffer.alloc(0);

/** What the next bytes are. */
type State =
  | "head"
  | "body of known length"
  | "body until the end"
  | "chunk size"
  | "chunk"
  | "end of chunk"
  | "trailers"
  | "done";

/**
 * Reads HTTP/1.1 answers (RFC 9112) one by one out of bytes that may be cut anywhere, and hands their bodies on without
 * copying. Interim answers (1xx) are skipped. Answers must have been asked for: `begin` is called before each.
 */
export class ResponseParser {
  readonly #sink: ResponseSink;
  #state: State = "done";
  /** The beginning of a head or line whose end is yet to come. */
  #rest: Buffer = noBytes;
  /** Bytes yet to come of the body, or of the chunk. */
  #left = 0;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  get isDone(): boolean {
    return this.#state === "done";
  }

  begin(): void {
    this.#state = "head";
  }

  /** @throws {Error} if it is not HTTP/1.1, or goes on after its end */
  push(bytes: Buffer): void {
    let chunk = bytes;
    while (chunk.length > 0) {
      switch (this.#state) {
        case "head":
          chunk = this.#head(chunk);
          break;
        case "body until the end":
          this.#sink.body(chunk);
          return;
        case "body of known length":
        case "chunk":
          chunk = this.#take(chunk);
          break;
        case "chunk size":
        case "end of chunk":
        case "trailers":
          chunk = this.#line(chunk);
          break;
        case "done":
          throw new Error("the server answers what was not asked");
      }
    }
  }

  /** The server will send no more. */
  finish(): void {
    if (this.#state === "body until the end") this.#state = "done";
  }

  #head(bytes: Buffer): Buffer {
    const joined = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const end = joined.indexOf("\r\n\r\n");
    if (end > maxHeadBytes || (end === -1 && joined.length > maxHeadBytes))
      throw new Error(`the head of the answer is over ${maxHeadBytes} bytes`);
    if (end === -1) {
      this.#rest = joined;
      return noBytes;
    }
    this.#rest = noBytes;
    this.#begin(headOf(joined.toString("latin1", 0, end)));
    return joined.subarray(end + 4);
  }

  #begin({ statusCode, retryAfter, keepsAlive, chunked, length }: WholeHead): void {
    if (statusCode < 200) {
      if (statusCode === 101) throw new Error("the answer switches protocols, which nobody asked for");
      return;
    }
    const isEmpty = statusCode === 204 || statusCode === 304 || (!chunked && length === 0);
    const isFramed = isEmpty || chunked || length !== undefined;
    this.#sink.head({ statusCode, retryAfter, keepsAlive: keepsAlive && isFramed });
    if (isEmpty) this.#state = "done";
    else if (chunked) this.#state = "chunk size";
    else if (length === undefined) this.#state = "body until the end";
    else {
      this.#left = length;
      this.#state = "body of known length";
    }
  }

  #take(bytes: Buffer): Buffer {
    const taken = bytes.length <= this.#left ? bytes : bytes.subarray(0, this.#left);
    this.#left -= taken.length;
    this.#sink.body(taken);
    if (this.#left === 0) {
      this.#state = this.#state === "chunk" ? "end of chunk" : "done";
    }
    return bytes.subarray(taken.length);
  }

  #line(bytes: Buffer): Buffer {
    const joined = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const end = joined.indexOf("\r\n");
    if (end === -1) {
      if (joined.length > maxHeadBytes) throw new Error(`a line of the answer is over ${maxHeadBytes} bytes`);
      this.#rest = joined;
      return noBytes;
    }
    this.#rest = noBytes;
    const line = joined.toString("latin1", 0, end);
    if (this.#state === "chunk size") this.#chunk(line);
    else if (this.#state === "trailers") {
      if (line === "") this.#state = "done";
    } else if (line === "") this.#state = "chunk size";
    else throw new Error("a chunk of the answer is longer than announced");
    return joined.subarray(end + 2);
  }

  #chunk(line: string): void {
    const [, digits] = /^([0-9a-fA-F]{1,12})[ \t]*(?:;.*)?$/.exec(line) ?? [];
    if (digits === undefined) throw new Error("a chunk of the answer announces no size");
    this.#left = Number.parseInt(digits, 16);
    this.#state = this.#left === 0 ? "trailers" : "chunk";
  }
}

interface WholeHead extends ResponseHead {
  readonly chunked: boolean;
  readonly length: number | undefined;
}

function headOf(text: string): WholeHead {
  const [, minor, code] = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?: |\r\n|$)/.exec(text) ?? [];
  if (code === undefined) throw new Error("the answer is not HTTP/1.1");
  const fields = fieldsOf(text);
  const encoding = fields["transfer-encoding"]?.toLowerCase();
  const length = fields["content-length"];
  if (encoding !== undefined && encoding !== "chunked") throw new Error("the answer's transfer encoding is unknown");
  if (length !== undefined && !/^[0-9]{1,15}$/.test(length))
    throw new Error("the answer's content length is no number");
  const closes = fields["connection"]?.toLowerCase() === "close" || minor === "0";
  return {
    statusCode: Number(code),
    retryAfter: fields["retry-after"],
    // One that has both a length and chunks is not to be trusted with a second answer (RFC 9112, 6.1).
    keepsAlive: !closes && (encoding === undefined || length === undefined),
    chunked: encoding !== undefined,
    length: length === undefined ? undefined : Number(length),
  };
}

/** The fields that matter, with lower-case names. @throws {Error} if one is there twice, and differs */
function fieldsOf(text: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  const field = /\r\n(connection|content-length|retry-after|transfer-encoding):[ \t]*([^\r\n]*)/gi;
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    const [, name = "", value = ""] = match;
    const key = name.toLowerCase();
    if (fields[key] !== undefined && fields[key] !== value.trim()) throw new Error(`the answer has two fields ${key}`);
    fields[key] = value.trim();
  }
  return fields;
}
