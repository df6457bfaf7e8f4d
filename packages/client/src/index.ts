export type { ApiErrorOptions, ApiErrorReason, StatusCause, StatusDetails } from "./api-error.ts";
export { ApiError, ignoreNotFound, isApiError } from "./api-error.ts";
export type { ApiRequest } from "./api-request.ts";
export type { ClientCall, Right } from "./call-rights.ts";
export { rightsOf } from "./call-rights.ts";
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
  WrittenMetadata,
} from "./client.ts";
export type { Certificates, Connection } from "./connection.ts";
export { ConnectionError } from "./connection-error.ts";
export { connectionFromKubeConfig } from "./connection-from-kube-config.ts";
export type { ClientOptions } from "./create-client.ts";
export { bindSignal, createClient, limitTo, withMemory } from "./create-client.ts";
export { fieldsAnnotation } from "./field-set.ts";
export type { LoadConnectionOptions } from "./load-connection.ts";
export { loadConnection } from "./load-connection.ts";
export type { ObjectMemory } from "./object-memory.ts";
export { OwnershipConflictError } from "./ownership-conflict-error.ts";
export { collectionPath, objectPath } from "./resource-path.ts";
export type { AnsweredRequest } from "./transport.ts";
export { TransportError } from "./transport-error.ts";
export type { WatchEvent } from "./watch-event.ts";
