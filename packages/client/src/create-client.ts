import type { Duration } from "@trimtab/apimachinery";
import { ApiClient, isApiClient } from "./api-client.ts";
import { describeRequest } from "./api-request.ts";
import { type Right, Rights } from "./call-rights.ts";
import type { Client } from "./client.ts";
import type { Connection } from "./connection.ts";
import type { ObjectMemory } from "./object-memory.ts";
import { ResourceRequests } from "./resource-requests.ts";
import { type AnsweredRequest, Transport } from "./transport.ts";

export interface ClientOptions {
  readonly connection: Connection;
  /** `name/version (os/arch) trimtab`, on every request. */
  readonly userAgent: string;
  /** Owns the fields that this client writes; the operator's name. */
  readonly fieldManager: string;
  /** Asked each time that a write is about to be sent: what it throws is what the write rejects with. @default all may go */
  readonly fence?: () => void;
  /** A request that is not a watch is given up when nothing is heard for this long. @default "30s" */
  readonly requestTimeout?: Duration;
  /** Told of each request that was answered or failed, for metrics. */
  readonly onRequest?: (request: AnsweredRequest) => void;
}

/** A client of one API server; connects with its first request. */
export function createClient({ fieldManager, ...options }: ClientOptions): Client {
  return new ApiClient(new ResourceRequests(new Transport(options), fieldManager));
}

/** The same client, which also reads from and reports its writes to `memory`. */
export function withMemory(client: Client, memory: ObjectMemory): Client {
  return isApiClient(client) ? client.withMemory(memory) : client;
}

/** The same client, whose requests also end when the signal aborts. Light: made for each reconcile. */
export function bindSignal(client: Client, signal: AbortSignal): Client {
  return isApiClient(client) ? client.withSignal(signal) : client;
}

/**
 * The same client, for who declares what it calls: a request that goes beyond these rights is not sent, and rejects with a
 * TypeError that names it. So what RBAC grants can be made from what is declared, and nothing is found missing in a cluster.
 *
 * @param who such as `controller memcached`, for the error
 */
export function limitTo(client: Client, rights: readonly Right[], who: string): Client {
  if (!isApiClient(client)) return client;
  const declared = new Rights(rights);
  return client.limitedBy((asked) => {
    if (declared.allow(asked)) return;
    throw new TypeError(`${who} may not ${describeRequest(asked)}: its definition declares no call that needs this`);
  });
}
