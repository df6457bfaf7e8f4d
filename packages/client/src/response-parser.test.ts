import { describe, expect, it } from "vitest";
import { type ResponseHead, ResponseParser } from "./response-parser.ts";

interface Read {
  readonly head: ResponseHead | undefined;
  readonly body: string;
  readonly isDone: boolean;
}

/** Reads an answer that arrives in these pieces. */
function read(pieces: readonly Buffer[], ends = false): Read {
  let head: ResponseHead | undefined;
  const body: Buffer[] = [];
  const parser = new ResponseParser({
    head: (read) => {
      head = read;
    },
    body: (chunk) => {
      body.push(chunk);
    },
  });
  parser.begin();
  for (const piece of pieces) parser.push(piece);
  if (ends) parser.finish();
  return { head, body: Buffer.concat(body).toString(), isDone: parser.isDone };
}

function readText(text: string, ends = false): Read {
  return read([Buffer.from(text)], ends);
}

/** Every way to cut it in two, and byte by byte. */
function cuts(text: string): Buffer[][] {
  const bytes = Buffer.from(text);
  const inTwo = Array.from(bytes, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  return [...inTwo, Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))];
}

const ok = "HTTP/1.1 200 OK\r\n";

describe("ResponseParser", () => {
  it.each([
    ["a length", `${ok}Content-Length: 11\r\n\r\ngrüß dich`],
    ["chunks", `${ok}Transfer-Encoding: chunked\r\n\r\n4\r\ngrü\r\n7;ext=1\r\nß dich\r\n0\r\nX: y\r\n\r\n`],
    ["interim answers before it", `HTTP/1.1 100 Continue\r\n\r\n${ok}content-length: 11\r\n\r\ngrüß dich`],
  ])("reads an answer with %s, wherever it is cut", (_, text) => {
    for (const pieces of cuts(text))
      expect(read(pieces)).toMatchObject({
        head: { statusCode: 200, keepsAlive: true },
        body: "grüß dich",
        isDone: true,
      });
  });

  it("reads a body without a length until the connection ends, which serves no further answer", () => {
    expect(readText(`${ok}\r\nall of it`).isDone).toBe(false);
    const answer = readText(`${ok}\r\nall of it`, true);
    expect(answer).toMatchObject({ head: { keepsAlive: false }, body: "all of it", isDone: true });
  });

  it.each(["HTTP/1.1 204 No Content\r\n\r\n", `${ok}content-length: 0\r\n\r\n`])(
    "knows that %j has no body",
    (text) => {
      expect(readText(text)).toMatchObject({ body: "", isDone: true });
    },
  );

  it.each([`${ok}connection: close\r\n`, "HTTP/1.0 200 OK\r\n", `${ok}transfer-encoding: chunked\r\n`])(
    "trusts no connection with a second answer after %j",
    (head) => {
      expect(readText(`${head}content-length: 5\r\n\r\n`).head).toMatchObject({ keepsAlive: false });
    },
  );

  it("hands on when to try again", () => {
    const answer = readText("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 0\r\n\r\n");
    expect(answer.head).toMatchObject({ statusCode: 429, retryAfter: "3" });
  });

  it("is not done while a body is incomplete, even at the end of the connection", () => {
    expect(readText(`${ok}content-length: 5\r\n\r\nfour`, true).isDone).toBe(false);
    expect(readText(`${ok}transfer-encoding: chunked\r\n\r\n4\r\nfour\r\n`, true).isDone).toBe(false);
  });

  it.each([
    ["what is not HTTP", "SSH-2.0-OpenSSH\r\n\r\n"],
    ["HTTP/2", "HTTP/2 200\r\n\r\n"],
    ["two lengths", `${ok}content-length: 1\r\ncontent-length: 2\r\n\r\n`],
    ["a length that is no number", `${ok}content-length: -1\r\n\r\n`],
    ["a compressed transfer", `${ok}transfer-encoding: gzip, chunked\r\n\r\n`],
    ["a chunk without a size", `${ok}transfer-encoding: chunked\r\n\r\nx\r\n`],
    ["a chunk longer than announced", `${ok}transfer-encoding: chunked\r\n\r\n1\r\nab\r\n`],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
    ["a second answer that nobody asked for", `${ok}content-length: 0\r\n\r\n${ok}`],
    ["an endless head", `${ok}${"x: y\r\n".repeat(20_000)}`],
    ["an endless line", `${ok}transfer-encoding: chunked\r\n\r\n${"0".repeat(70_000)}`],
  ])("refuses %s", (_, text) => {
    expect(() => readText(text)).toThrow(Error);
  });
});
