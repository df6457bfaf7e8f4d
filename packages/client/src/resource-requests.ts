import {
  apiVersionOf,
  formatSelector,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
} from "@trimtab/apimachinery";
import type { ApiRequest } from "./api-request.ts";
import type { DeleteOptions, ListOptions, ObjectList, WatchOptions } from "./client.ts";
import { collectionPath, objectPath, queryOf } from "./resource-path.ts";
import type { Transport, TransportRequest } from "./transport.ts";
import type { WatchEvent } from "./watch-event.ts";
import { watchStream } from "./watch-stream.ts";

export type PatchFormat = "apply-patch+yaml" | "json-patch+json" | "merge-patch+json";

export interface PatchRequest {
  readonly format: PatchFormat;
  readonly body: object;
  readonly subresource?: string | undefined;
  /** Whether it does no more when processed twice than once. @default false */
  readonly isRepeatable?: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Throws where a request must not be sent. */
export type RequestLimit = (asked: ApiRequest) => void;

export interface WriteOptions {
  readonly subresource?: string | undefined;
  readonly isRepeatable?: boolean;
  readonly signal: AbortSignal | undefined;
}

/** What the API server answers to a DELETE: the object as it is going, or that it is gone. */
export interface DeleteAnswer extends KubeObject {
  readonly details?: { readonly uid?: string };
}

/** Turns verbs on kinds of objects into HTTP requests, one for one. */
export class ResourceRequests {
  readonly #transport: Transport;
  readonly #limit: RequestLimit | undefined;
  readonly fieldManager: string;

  constructor(transport: Transport, fieldManager: string, limit?: RequestLimit) {
    this.#transport = transport;
    this.fieldManager = fieldManager;
    this.#limit = limit;
  }

  limitedBy(limit: RequestLimit): ResourceRequests {
    return new ResourceRequests(this.#transport, this.fieldManager, limit);
  }

  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, signal: AbortSignal | undefined): Promise<T> {
    return this.#send<T>({ asked: asking("get", type, key), path: objectPath(type, key), signal });
  }

  async list<T extends KubeObject>(
    type: ResourceType<T>,
    options: ListOptions,
    signal: AbortSignal | undefined,
  ): Promise<ObjectList<T>> {
    const { namespace, labelSelector, signal: _, ...parameters } = options;
    const query = queryOf({ ...parameters, labelSelector: labelSelector && formatSelector(labelSelector) });
    const { items, metadata } = await this.#send<{
      readonly items: readonly T[] | null;
      readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
    }>({ asked: asking("list", type, { namespace }), path: collectionPath(type, namespace) + query, signal });
    return {
      items: withType(type, items ?? []),
      resourceVersion: metadata.resourceVersion,
      ...(metadata.continue && { continue: metadata.continue }),
    };
  }

  async *watch<T extends KubeObject>(
    type: ResourceType<T>,
    options: WatchOptions,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<WatchEvent<T>> {
    const { namespace, labelSelector, fieldSelector, resourceVersion, sendInitialEvents, timeoutSeconds } = options;
    const query = queryOf({
      watch: true,
      allowWatchBookmarks: true,
      fieldSelector,
      resourceVersion,
      timeoutSeconds,
      labelSelector: labelSelector && formatSelector(labelSelector),
      ...(sendInitialEvents === true && { sendInitialEvents, resourceVersionMatch: "NotOlderThan" }),
    });
    const asked = asking("watch", type, { namespace });
    const path = collectionPath(type, namespace) + query;
    try {
      this.#limit?.(asked);
      const stream = await this.#transport.stream({ asked, path, signal }, options.idleTimeoutMs ?? 0);
      options.onOpen?.();
      yield* watchStream<T>(stream, asked);
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  }

  create<T extends KubeObject>(type: ResourceType<T>, object: Writable, options: WriteOptions): Promise<T> {
    const { namespace } = object.metadata;
    if (type.scope === "Namespaced" && namespace === undefined)
      throw new TypeError(
        `${type.kind} ${object.metadata.name ?? ""} is namespaced: its metadata must name a namespace`,
      );
    const asked = asking("create", type, object.metadata);
    const path = collectionPath(type, namespace) + queryOf({ fieldManager: this.fieldManager });
    return this.#send<T>({ asked, path, body: typed(type, object), ...options });
  }

  /** A PUT. */
  update<T extends KubeObject>(type: ResourceType<T>, object: Named, options: WriteOptions): Promise<T> {
    const { subresource, ...rest } = options;
    const asked = asking("update", type, object.metadata, subresource);
    const path = objectPath(type, object.metadata, subresource) + queryOf({ fieldManager: this.fieldManager });
    return this.#send<T>({ asked, path, body: typed(type, object), ...rest });
  }

  patch<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, request: PatchRequest): Promise<T> {
    const { format, subresource, body, ...rest } = request;
    const force = format === "apply-patch+yaml" ? true : undefined;
    return this.#send<T>({
      asked: asking("patch", type, key, subresource),
      path: objectPath(type, key, subresource) + queryOf({ fieldManager: this.fieldManager, force }),
      body: format === "apply-patch+yaml" ? typed(type, body) : body,
      contentType: `application/${format}`,
      ...rest,
    });
  }

  delete(
    type: ResourceType,
    key: ObjectKey,
    options: DeleteOptions,
    signal: AbortSignal | undefined,
  ): Promise<DeleteAnswer> {
    const { uid, resourceVersion, gracePeriodSeconds, propagationPolicy } = options;
    const body = {
      apiVersion: "v1",
      kind: "DeleteOptions",
      gracePeriodSeconds,
      propagationPolicy,
      ...((uid !== undefined || resourceVersion !== undefined) && { preconditions: { uid, resourceVersion } }),
    };
    // Without its UID, a namesake made meanwhile would be deleted by the second try.
    const isRepeatable = uid !== undefined;
    const asked = asking("delete", type, key);
    return this.#send({ asked, path: objectPath(type, key), body, isRepeatable, signal });
  }

  close(): void {
    this.#transport.close();
  }

  #send<Answer>(request: TransportRequest): Promise<Answer> {
    this.#limit?.(request.asked);
    return this.#transport.send<Answer>(request);
  }
}

interface Writable {
  readonly metadata: Partial<ObjectKey>;
}

interface Named {
  readonly metadata: ObjectKey;
}

function asking(
  verb: ApiRequest["verb"],
  { group, plural }: ResourceType,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name?: string | undefined },
  subresource?: string,
): ApiRequest {
  return { verb, group, resource: plural, subresource, namespace, name };
}

function typed(type: ResourceType, object: object): object {
  return { apiVersion: apiVersionOf(type), kind: type.kind, ...object };
}

/** The items of built-in kinds come without their type. */
function withType<T extends KubeObject>(type: ResourceType<T>, items: readonly T[]): readonly T[] {
  if (items[0] === undefined || items[0].kind !== undefined) return items;
  const apiVersion = apiVersionOf(type);
  return items.map((item) => ({ ...item, apiVersion, kind: type.kind }));
}
