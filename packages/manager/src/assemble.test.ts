import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigMap } from "@trimtab/apimachinery";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { assemble } from "./assemble.ts";

describe("assemble", () => {
  let server: Server;
  /** Requests for anything but a Lease, none of which is answered. */
  let held: ServerResponse[];
  beforeEach(async () => {
    held = [];
    server = createServer((request, response) => {
      if (request.url?.includes("/leases") !== true) {
        held.push(response);
        return;
      }
      if (request.method === "GET") response.writeHead(404);
      request.pipe(response);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it("gives the elector connections of its own, which no flood of other requests can take", async () => {
    await using closing = new AsyncDisposableStack();
    const { port } = server.address() as AddressInfo;
    const connection = { server: `http://127.0.0.1:${port}` };
    const options = { name: "toy", connection, controllers: [], log: pino({ level: "silent" }) };
    const { elector, unfenced } = await assemble({ ...options, leaderElection: { namespace: "home" } }, closing);
    const flood = Array.from({ length: 100 }, () => unfenced.get(ConfigMap, { namespace: "home", name: "a" }));
    for (const request of flood) request.catch(() => undefined);
    await expect.poll(() => held.length).toBe(32);
    let led = false;
    await elector?.run(new AbortController().signal, async () => {
      led = true;
    });
    expect(led).toBe(true);
  });
});
