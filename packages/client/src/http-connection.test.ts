import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AnswerStream } from "./answer-stream.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { Random } from "./random.fixture.ts";
import { mutated, randomAnswer } from "./random-answer.fixture.ts";
import { serverSockets } from "./server-sockets.ts";

const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const chunk = "5\r\nhello\r\n";
const end = "0\r\n\r\n";

let server: Server;
let pool: ConnectionPool;
let sockets: Socket[];
/** What each request is answered with, in one piece. */
let answers: (string | Buffer)[];
/** Whether the server ends a connection after one answer. */
let endsEach: boolean;

beforeEach(async () => {
  sockets = [];
  endsEach = false;
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on("data", () => {
      socket.write(answers.shift() ?? "");
      if (endsEach) socket.end();
    });
    socket.on("error", () => undefined);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { open } = serverSockets({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  pool = new ConnectionPool({ open });
});
afterEach(() => {
  pool.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

async function ask(): Promise<AnswerStream> {
  const stream = new AnswerStream(pool, { text: "GET / HTTP/1.1\r\n\r\n", idleTimeoutMs: 1_000, signal: undefined });
  await stream.open();
  return stream;
}

async function read(stream: AnswerStream): Promise<number> {
  let length = 0;
  for await (const part of stream) length += part.length;
  return length;
}

describe("a connection that its reader has paused", () => {
  it("goes on once the reader has caught up", async () => {
    answers = [head + chunk.repeat(20)];
    const stream = await ask();
    const [socket] = sockets;
    for (let count = 0; count < 20; count += 1) expect(String((await stream.next()).value)).toBe("hello");
    socket?.write(chunk + end);
    expect(await read(stream)).toBe(5);
  });

  it("is as good as another for the next request, whether or not its answer was read to the end", async () => {
    answers = [head + chunk.repeat(20) + end, head + chunk + end];
    const unread = await ask();
    expect(await read(await ask())).toBe(5);
    expect(sockets).toHaveLength(1);
    expect(await read(unread)).toBe(100);
  });
});

describe("a connection to a server that sends anything", () => {
  it("settles each request by an answer or an error, once the server has ended it", async () => {
    const random = new Random(1);
    answers = Array.from({ length: 300 }, () => mutated(random, randomAnswer(random).bytes));
    endsEach = true;
    let failed = 0;
    for (let count = answers.length; count > 0; count -= 1) {
      await ask()
        .then(read)
        .catch((error: Error) => {
          expect(error.message).toMatch(/answer|chunk/);
          failed += 1;
        });
    }
    expect(failed).toBeGreaterThan(50);
    expect(answers).toEqual([]);
  });
});
