import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHealthServer } from "./http-server.ts";

let server: Server;

beforeEach(async () => {
  server = createHealthServer({ healthz: () => [], readyz: () => [{ name: "a b", trouble: "because" }] });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => server.close());

/** The status code for a path as it stands, however odd. */
async function ask(path: string): Promise<number> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nhost: health\r\nconnection: close\r\n\r\n`);
  return Number((await text(socket)).split(" ", 2)[1]);
}

describe("the health server", () => {
  it.each([
    ["/healthz", 200],
    ["/readyz", 500],
    ["/readyz/a%20b", 500],
    ["/readyz/other", 404],
    ["/", 404],
    ["//", 400],
    ["/healthz/%", 400],
  ])("answers %s with %i", async (path, code) => {
    expect(await ask(path)).toBe(code);
  });
});
