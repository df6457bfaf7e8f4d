import type { Client } from "./client.ts";
import type { Connection } from "./connection.ts";
import type { ObjectMemory } from "./object-memory.ts";

export interface ClientOptions {
  readonly connection: Connection;
  /** `name/version (os/arch) trimtab`, on every request. */
  readonly userAgent: string;
  /** Owns the fields that `apply` writes; the operator's name. */
  readonly fieldManager: string;
  /** Asked before each write: what it throws is what the write rejects with. @default every write may go */
  readonly fence?: () => void;
  /** Told of each request that was answered or failed, for metrics. */
  readonly onRequest?: (request: AnsweredRequest) => void;
}

export interface AnsweredRequest {
  readonly method: string;
  readonly host: string;
  /** HTTP status, or `"<error>"` where there was none, as client-go labels it. */
  readonly code: string;
  readonly durationMs: number;
}

export declare function createClient(options: ClientOptions): Client;
/** The same client, which also reads from and reports its writes to `memory`. */
export declare function withMemory(client: Client, memory: ObjectMemory): Client;
