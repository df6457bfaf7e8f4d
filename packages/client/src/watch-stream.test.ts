import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigMap } from "@trimtab/apimachinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Client, WatchOptions } from "./client.ts";
import { createClient } from "./create-client.ts";
import type { WatchEvent } from "./watch-event.ts";

let server: Server;
let client: Client;
let answer: PromiseWithResolvers<ServerResponse>;
let closed: Promise<unknown>;

beforeEach(async () => {
  answer = Promise.withResolvers();
  server = createServer((request, response) => {
    closed = new Promise((resolve) => request.socket.once("close", resolve));
    answer.resolve(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connection = { server: `http://127.0.0.1:${port}` };
  client = createClient({ connection, userAgent: "test", fieldManager: "test" });
});
afterEach(() => {
  client.close();
  server.closeAllConnections();
  server.close();
});

function added(name: string): string {
  return `${JSON.stringify({ type: "ADDED", object: { metadata: { name } } })}\n`;
}

async function collect(options: WatchOptions = {}): Promise<WatchEvent<ConfigMap>[]> {
  const events: WatchEvent<ConfigMap>[] = [];
  for await (const event of client.watch(ConfigMap, options)) events.push(event);
  return events;
}

describe("a watch", () => {
  it("decodes events, bookmarks and errors, and ends where the server ends it", async () => {
    const collected = collect();
    const response = await answer.promise;
    response.write(added("a"));
    const annotations = { "k8s.io/initial-events-end": "true" };
    const metadata = { resourceVersion: "7", annotations };
    response.write(`${JSON.stringify({ type: "BOOKMARK", object: { metadata } })}\n`);
    const status = { kind: "Status", code: 410, reason: "Expired", message: "too old" };
    response.end(`${JSON.stringify({ type: "ERROR", object: status })}\n`);
    expect(await collected).toEqual([
      { type: "ADDED", object: { metadata: { name: "a" } } },
      { type: "BOOKMARK", resourceVersion: "7", initialEventsEnd: true },
      { type: "ERROR", error: expect.objectContaining({ statusCode: 410, reason: "Expired" }) },
    ]);
  });

  it("holds lines of over a megabyte", async () => {
    const collected = collect();
    (await answer.promise).end(added("ü".repeat(3_000_000)));
    expect((await collected)[0]).toMatchObject({ object: { metadata: { name: "ü".repeat(3_000_000) } } });
  });

  it.each([
    ["holds a line that is not JSON", "hunter2\n", /a line of 7 characters that is not JSON$/],
    ["holds an event of no known type", '{"type":"NEW","object":{}}\n', /an event of the unknown type NEW$/],
    ["ends within a line", '{"type":', /broke off: the answer ends within a line$/],
  ])("fails when it %s", async (_, text, message) => {
    const collected = collect();
    (await answer.promise).end(text);
    await expect(collected).rejects.toThrow(
      expect.objectContaining({ name: "TransportError", message: expect.stringMatching(message) }),
    );
  });

  it("fails when its connection breaks", async () => {
    const collected = collect();
    const response = await answer.promise;
    response.write(added("a"), () => response.destroy());
    await expect(collected).rejects.toThrow("watch configmaps broke off: the connection was closed");
  });

  it.each([
    ["never answered", () => undefined],
    ["silent", (response: ServerResponse) => response.write(added("a"))],
  ])("fails when it is %s for too long", async (_, begin) => {
    const collected = collect({ idleTimeoutMs: 100 });
    begin(await answer.promise);
    await expect(collected).rejects.toThrow("nothing was heard for 0.1 s");
    await closed;
  });

  it.each([
    ["before it is answered", () => undefined],
    ["while it is at rest", (response: ServerResponse) => response.flushHeaders()],
  ])("ends quietly, and closes its connection, when its signal aborts %s", async (_, begin) => {
    const stop = new AbortController();
    const collected = collect({ signal: stop.signal });
    begin(await answer.promise);
    stop.abort();
    expect(await collected).toEqual([]);
    await closed;
  });

  it("closes its connection when nobody listens any more", async () => {
    const watch = (async () => {
      for await (const event of client.watch(ConfigMap, {})) return event;
      return undefined;
    })();
    (await answer.promise).write(added("a") + added("b"));
    expect(await watch).toMatchObject({ object: { metadata: { name: "a" } } });
    await closed;
  });

  it("says when the server has agreed, before the first event", async () => {
    const opened = Promise.withResolvers<void>();
    const stop = new AbortController();
    const collected = collect({ signal: stop.signal, onOpen: opened.resolve });
    (await answer.promise).flushHeaders();
    await opened.promise;
    stop.abort();
    await collected;
  });

  it("holds the server up while its events are not read", async () => {
    const events = client.watch(ConfigMap, {})[Symbol.asyncIterator]();
    const first = events.next();
    const response = await answer.promise;
    const many = added("a".repeat(1_000)).repeat(1_000);
    response.write(many);
    await first;
    for (let sent = 1; sent < 100; sent += 1) response.write(many);
    await expect.poll(() => response.writableLength).toBeGreaterThan(10_000_000);
    response.end();
    let count = 1;
    while ((await events.next()).done !== true) count += 1;
    expect(count).toBe(100_000);
  });
});
