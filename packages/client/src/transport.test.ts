import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { inspect } from "node:util";
import { ConfigMap, Secret } from "@trimtab/apimachinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isApiError } from "./api-error.ts";
import { rightsOf } from "./call-rights.ts";
import type { Client } from "./client.ts";
import type { Connection } from "./connection.ts";
import { type ClientOptions, createClient, limitTo } from "./create-client.ts";
import { TransportError } from "./transport-error.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const key = { namespace: "default", name: "a" };
const object = { apiVersion: "v1", kind: "ConfigMap", metadata: key };
const stale = { ...object, metadata: { ...key, uid: "1", resourceVersion: "1", creationTimestamp: "" } } as ConfigMap;

let server: Server;
let sockets: Socket[];
let requests: string[];
/** Each answers one request; the last one all that follow. */
let script: Handler[];
let clients: Client[];

beforeEach(async () => {
  sockets = [];
  requests = [];
  script = [];
  clients = [];
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.authorization ?? ""}`.trim());
    request.resume().once("end", () => (script.length > 1 ? script.shift() : script[0])?.(request, response));
  });
  server.on("connection", (socket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  for (const client of clients) client.close();
  server.closeAllConnections();
  server.close();
});

type Options = Omit<Partial<ClientOptions>, "connection"> & { readonly connection?: Partial<Connection> };

function connect(options: Options = {}): Client {
  const { port } = server.address() as AddressInfo;
  const connection = { server: `http://127.0.0.1:${port}`, ...options.connection };
  const client = createClient({ userAgent: "test", fieldManager: "test", ...options, connection });
  clients.push(client);
  return client;
}

const answer: Handler = (_, response) => response.end(JSON.stringify(object));
const hangUp: Handler = (request) => request.socket.destroy();
const hangUpWithin: Handler = (request, response) => {
  response.writeHead(200, { "content-length": 100 });
  response.write("{", () => request.socket.destroy());
};
const silence: Handler = () => undefined;

function fail(code: number, headers: Record<string, string> = {}): Handler {
  return (_, response) => response.writeHead(code, headers).end(JSON.stringify({ kind: "Status", code }));
}

describe("Transport", () => {
  it("uses one connection for requests that follow one another", async () => {
    script = [answer];
    const client = connect();
    for (let count = 0; count < 5; count += 1) await client.get(ConfigMap, key);
    expect(sockets).toHaveLength(1);
  });

  it("shares a bounded number of connections among a burst of requests, and watches have their own", async () => {
    const held: ServerResponse[] = [];
    script = [(_, response) => held.push(response)];
    const client = connect();
    const burst = Array.from({ length: 100 }, () => client.get(ConfigMap, key));
    await expect.poll(() => held.length).toBe(32);
    const watch = expect(client.watch(ConfigMap, {})[Symbol.asyncIterator]().next()).rejects.toThrow(TransportError);
    await expect.poll(() => held.length).toBe(33);
    script = [answer];
    held.forEach((response) => {
      response.end(JSON.stringify(object));
    });
    await Promise.all(burst);
    await watch;
    expect(sockets).toHaveLength(33);
  });

  it("sends a request again after the time that a busy server asks for, whatever its verb", async () => {
    script = [fail(429, { "retry-after": "1" }), fail(503, { "retry-after": "1" }), answer];
    const begin = performance.now();
    await connect().create(ConfigMap, { metadata: key });
    expect(performance.now() - begin).toBeGreaterThan(1_990);
    expect(requests).toEqual(["POST", "POST", "POST"]);
  });

  it.each([
    ["asks for more than ten seconds", fail(429, { "retry-after": "11" })],
    ["names no time", fail(503)],
  ])("leaves it to the caller when a busy server %s", async (_, handler) => {
    script = [handler];
    await expect(connect().get(ConfigMap, key)).rejects.toThrow(expect.objectContaining({ name: "ApiError" }));
    expect(requests).toHaveLength(1);
  });

  it("renews the credentials after a 401, once", async () => {
    let version = 1;
    const headers = async ({ renew }: { readonly renew: boolean }): Promise<Record<string, string>> => {
      if (renew) version += 1;
      return { authorization: `Bearer ${version}` };
    };
    const client = connect({ connection: { headers } });
    script = [fail(401), answer];
    await client.create(ConfigMap, { metadata: key });
    expect(requests).toEqual(["POST Bearer 1", "POST Bearer 2"]);
    script = [fail(401)];
    await expect(client.get(ConfigMap, key)).rejects.toSatisfy((error) => isApiError(error, "Unauthorized"));
    await expect(client.watch(ConfigMap, {})[Symbol.asyncIterator]().next()).rejects.toSatisfy((error) =>
      isApiError(error, "Unauthorized"),
    );
    expect(requests).toHaveLength(6);
  });

  it.each([
    ["before", hangUp],
    ["within", hangUpWithin],
  ])("repeats a read and an update when the connection breaks %s the answer", async (_, handler) => {
    script = [handler, answer];
    await connect().get(ConfigMap, key);
    script = [handler, answer];
    await connect().update(ConfigMap, stale);
    expect(requests).toEqual(["GET", "GET", "PUT", "PUT"]);
  });

  it("never repeats a create, a patch or a delete of any namesake that may have been processed", async () => {
    script = [hangUp];
    const client = connect();
    await expect(client.create(ConfigMap, { metadata: key })).rejects.toThrow(TransportError);
    await expect(client.patch(ConfigMap, key, [])).rejects.toThrow(TransportError);
    await expect(client.delete(ConfigMap, key)).rejects.toThrow(TransportError);
    expect(requests).toEqual(["POST", "PATCH", "DELETE"]);
  });

  it("repeats the create of an apply, and takes what the first has made for its own", async () => {
    const made = { ...stale, metadata: { ...stale.metadata, managedFields: [] }, data: { a: "1" } };
    const exists: Handler = (_, response) =>
      response.writeHead(409).end(JSON.stringify({ kind: "Status", reason: "AlreadyExists" }));
    const found: Handler = (_, response) => response.end(JSON.stringify(made));
    script = [fail(404), hangUp, exists, found, found];
    await connect().apply(ConfigMap, { metadata: key, data: { a: "1" } });
    expect(requests).toEqual(["GET", "POST", "POST", "GET", "PATCH"]);
  });

  it("opens a new connection where the server has closed the idle one", async () => {
    script = [answer];
    const client = connect();
    await client.get(ConfigMap, key);
    const closed = once(sockets[0] as Socket, "close");
    sockets[0]?.end();
    await closed;
    await client.create(ConfigMap, { metadata: key });
    expect(requests).toEqual(["GET", "POST"]);
  });

  it("says what was asked, and why, when no connection can be had", async () => {
    const client = connect();
    server.close();
    await once(server, "close");
    const error = await client.create(ConfigMap, { metadata: key }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ cause: { code: "ECONNREFUSED" } });
    expect(String(error)).toContain("create configmaps default/a: connect ECONNREFUSED");
  });

  it("asks the fence each time before a write is sent, and never for a read", async () => {
    let asked = 0;
    const fence = (): void => {
      asked += 1;
      if (asked === 2) throw new Error("the lease is lost");
    };
    script = [fail(429, { "retry-after": "0.01" })];
    const client = connect({ fence });
    await expect(client.create(ConfigMap, { metadata: key })).rejects.toThrow("the lease is lost");
    script = [answer];
    await client.get(ConfigMap, key);
    expect(asked).toBe(2);
    expect(requests).toEqual(["POST", "GET"]);
  });

  it("asks the fence at the last moment, also of a write that has waited for a connection", async () => {
    let lost = false;
    const held: ServerResponse[] = [];
    script = [(_, response) => held.push(response)];
    const client = connect({
      fence: () => {
        if (lost) throw new Error("the lease is lost");
      },
    });
    const writes = Array.from({ length: 40 }, () => client.create(ConfigMap, { metadata: key }));
    const ends = Promise.allSettled(writes);
    await expect.poll(() => held.length).toBe(32);
    lost = true;
    for (const response of held) response.end(JSON.stringify(object));
    const refused = (await ends).filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ reason: { message: "the lease is lost" } });
    expect(requests).toHaveLength(32);
  });

  it.each([
    ["of a length", { "content-length": "100" }],
    ["in chunks", { "transfer-encoding": "chunked" }],
  ])("fails a request whose answer %s is cut off by a server that closes its connections", async (_, headers) => {
    script = [
      (request, response) => {
        response.writeHead(200, { ...headers, connection: "close" });
        response.write("{", () => request.socket.end());
      },
    ];
    await expect(connect().create(ConfigMap, { metadata: key })).rejects.toThrow(TransportError);
  });

  it("ends a request with its signal's reason, before, during and between tries", async () => {
    const client = connect();
    const reason = new Error("enough");
    await expect(client.get(ConfigMap, key, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests).toEqual([]);
    for (const handler of [silence, fail(429, { "retry-after": "9" })]) {
      const stop = new AbortController();
      script = [
        (request, response) => {
          handler(request, response);
          setImmediate(() => stop.abort(reason));
        },
      ];
      await expect(client.get(ConfigMap, key, { signal: stop.signal })).rejects.toBe(reason);
    }
    expect(requests).toHaveLength(2);
  });

  it("gives up when nothing is heard for too long, and does not try again", async () => {
    script = [silence];
    await expect(connect({ requestTimeout: "50ms" }).get(ConfigMap, key)).rejects.toThrow(
      "nothing was heard for 0.05 s",
    );
    expect(requests).toHaveLength(1);
  });

  it("never quotes an answer that is not JSON", async () => {
    script = [(_, response) => response.end("hunter2")];
    const error = await connect()
      .get(ConfigMap, key)
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toBe("TransportError: get configmaps default/a: the answer, 7 characters, is not JSON");
  });

  it("makes an error of a proxy's page", async () => {
    script = [(_, response) => response.writeHead(502).end("<html>\nno upstream</html>")];
    await expect(connect().get(ConfigMap, key)).rejects.toMatchObject({ reason: "Unknown", statusCode: 502 });
  });

  it("never quotes what the API server refuses of a Secret", async () => {
    const message = 'Secret "a" is invalid: data[x]: Invalid value: "hunter2": no';
    const details = { causes: [{ field: "data[x]", message: 'Invalid value: "hunter2": no' }] };
    script = [
      (_, response) =>
        response.writeHead(422).end(JSON.stringify({ kind: "Status", reason: "Invalid", message, details })),
    ];
    const error = await connect()
      .create(Secret, { metadata: key })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ serverMessage: 'Secret "a" is invalid: data[x]: Invalid value: (not shown): no' });
    expect(inspect(error)).not.toContain("hunter2");
  });

  it("sends no header that would break out of its line", async () => {
    const headers = async (): Promise<Record<string, string>> => ({ authorization: "Bearer hunter2\r\nx: y" });
    const client = connect({ connection: { headers } });
    await expect(client.get(ConfigMap, key)).rejects.toThrow(/^the header authorization must be of visible ASCII/);
  });

  it("ends what is under way when it is closed", async () => {
    script = [silence];
    const client = connect();
    const request = client.get(ConfigMap, key);
    await expect.poll(() => requests.length).toBe(1);
    client.close();
    await expect(request).rejects.toThrow("the client was closed");
  });

  it("reports each answer and each failure", async () => {
    const reported: string[] = [];
    script = [hangUp, answer];
    await connect({ onRequest: ({ method, code }) => reported.push(`${method} ${code}`) }).get(ConfigMap, key);
    expect(reported).toEqual(["GET <error>", "GET 200"]);
  });
});

describe("a client limited to what is declared", () => {
  it("sends what is declared, and rejects the rest unsent, by a name that tells what to declare", async () => {
    script = [answer];
    const client = limitTo(connect(), rightsOf(ConfigMap, "get"), "controller widget");
    await client.get(ConfigMap, key);
    const undeclared = client.delete(ConfigMap, key, { uid: "1" });
    await expect(undeclared).rejects.toThrow("controller widget may not delete configmaps default/a");
    await expect(undeclared).rejects.toBeInstanceOf(TypeError);
    await expect(client.get(Secret, key)).rejects.toThrow("controller widget may not get secrets default/a");
    expect(requests).toEqual(["GET"]);
  });

  it("tells a subresource from its object", async () => {
    script = [answer];
    const client = limitTo(connect(), rightsOf(ConfigMap, "patch"), "controller widget");
    await client.mergePatch(ConfigMap, key, {});
    await expect(client.mergePatch(ConfigMap, key, {}, { subresource: "status" })).rejects.toThrow("configmaps/status");
    expect(requests).toEqual(["PATCH"]);
  });
});
