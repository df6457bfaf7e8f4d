export { ApiError, ignoreNotFound, isApiError } from "./api-error.ts";
export type { ApiErrorReason } from "./api-error.ts";
export type {
  Applied,
  ApplyOptions,
  Client,
  Created,
  DeleteOptions,
  JsonPatch,
  ListOptions,
  ObjectList,
  PatchOptions,
  RequestOptions,
  WatchOptions,
} from "./client.ts";
export type { Connection } from "./connection.ts";
export { createClient, withMemory } from "./create-client.ts";
export type { AnsweredRequest, ClientOptions } from "./create-client.ts";
export type { ObjectMemory } from "./object-memory.ts";
export type { WatchEvent } from "./watch-event.ts";
