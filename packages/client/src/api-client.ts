import {
  apiVersionOf,
  controllerOf,
  formatKey,
  formatSelector,
  isDeleting,
  type KubeObject,
  keyOf,
  type ObjectKey,
  type ResourceType,
} from "@trimtab/apimachinery";
import { adoptCreatedFields } from "./adopt-created-fields.ts";
import { ignoreNotFound, isApiError } from "./api-error.ts";
import { planApply } from "./apply-plan.ts";
import type {
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
import { fieldSetOf, fieldsAnnotation } from "./field-set.ts";
import { finalizerAddition, finalizerRemoval } from "./finalizer-patch.ts";
import type { ObjectMemory } from "./object-memory.ts";
import { OwnershipConflictError } from "./ownership-conflict-error.ts";
import { collectionPath, objectPath, queryOf } from "./resource-path.ts";
import { isEqualStatus } from "./status-equality.ts";
import type { Transport, TransportRequest } from "./transport.ts";
import type { WatchEvent } from "./watch-event.ts";
import { watchStream } from "./watch-stream.ts";

const jsonPatchType = "application/json-patch+json";
const mergePatchType = "application/merge-patch+json";
const applyPatchType = "application/apply-patch+yaml";

/** What every view of one client shares. */
export interface ClientCore {
  readonly transport: Transport;
  readonly fieldManager: string;
  readonly fence: (() => void) | undefined;
  readonly memory: ObjectMemory | undefined;
}

/** The client of a real API server; light to make, so that each reconcile has a view of its own. */
export class ApiClient implements Client {
  readonly #core: ClientCore;
  readonly #signal: AbortSignal | undefined;

  constructor(core: ClientCore, signal?: AbortSignal) {
    this.#core = core;
    this.#signal = signal;
  }

  withMemory(memory: ObjectMemory): ApiClient {
    return new ApiClient({ ...this.#core, memory }, this.#signal);
  }

  withSignal(signal: AbortSignal): ApiClient {
    return new ApiClient(this.#core, signal);
  }

  async get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: RequestOptions): Promise<T> {
    return this.#core.transport.send<T>({ method: "GET", path: objectPath(type, key), signal: this.#until(options) });
  }

  async list<T extends KubeObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const { namespace, labelSelector, signal: _, ...parameters } = options;
    const query = queryOf({
      ...parameters,
      ...(labelSelector !== undefined && { labelSelector: formatSelector(labelSelector) }),
    });
    const list = await this.#core.transport.send<{
      items: T[] | null;
      metadata: { resourceVersion: string; continue?: string };
    }>({ method: "GET", path: collectionPath(type, namespace) + query, signal: this.#until(options) });
    const items = list.items ?? [];
    const apiVersion = apiVersionOf(type);
    // The items of built-in kinds come without their type.
    const typed =
      items[0]?.kind === undefined ? items.map((item) => ({ ...item, apiVersion, kind: type.kind })) : items;
    return {
      items: typed,
      resourceVersion: list.metadata.resourceVersion,
      ...(list.metadata.continue && { continue: list.metadata.continue }),
    };
  }

  async *watch<T extends KubeObject>(type: ResourceType<T>, options: WatchOptions): AsyncGenerator<WatchEvent<T>> {
    const { namespace, labelSelector, fieldSelector, resourceVersion, sendInitialEvents, timeoutSeconds } = options;
    const query = queryOf({
      watch: true,
      allowWatchBookmarks: true,
      fieldSelector,
      resourceVersion,
      timeoutSeconds,
      ...(labelSelector !== undefined && { labelSelector: formatSelector(labelSelector) }),
      ...(sendInitialEvents === true && { sendInitialEvents, resourceVersionMatch: "NotOlderThan" }),
    });
    const signal = this.#until(options);
    try {
      const path = collectionPath(type, namespace) + query;
      const response = await this.#core.transport.stream({ method: "GET", path, signal }, options.idleTimeoutMs ?? 0);
      options.onOpen?.();
      yield* watchStream<T>(response, { name: type.plural, idleTimeoutMs: options.idleTimeoutMs });
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  }

  async create<T extends KubeObject>(type: ResourceType<T>, object: Created<T>, options?: RequestOptions): Promise<T> {
    const query = queryOf({ fieldManager: this.#core.fieldManager });
    const path = collectionPath(type, object.metadata.namespace) + query;
    return this.#write(type, { method: "POST", path, body: this.#typed(type, object), signal: this.#until(options) });
  }

  async update<T extends KubeObject>(type: ResourceType<T>, object: T, options?: RequestOptions): Promise<T> {
    return this.#put(type, object, undefined, options);
  }

  async updateStatus<T extends KubeObject>(type: ResourceType<T>, object: T, options?: RequestOptions): Promise<T> {
    return this.#put(type, object, "status", options);
  }

  async patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: JsonPatch,
    options?: PatchOptions,
  ): Promise<T> {
    return this.#patch(type, key, patch, jsonPatchType, options);
  }

  async mergePatch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: object,
    options?: PatchOptions,
  ): Promise<T> {
    return this.#patch(type, key, patch, mergePatchType, options);
  }

  async apply<T extends KubeObject>(
    type: ResourceType<T>,
    object: Applied<T>,
    options: ApplyOptions<T> = {},
  ): Promise<T> {
    const desired = withFieldsAnnotation(object);
    const known = this.#core.memory?.recall(type, object.metadata);
    const live = known === undefined ? await ignoreNotFound(this.get(type, object.metadata, options)) : known;
    if (live !== undefined && live !== "absent") return this.#applyTo(type, live, desired, options);
    try {
      return await this.create<T>(type, desired as unknown as Created<T>, options);
    } catch (error) {
      if (!isApiError(error, "AlreadyExists")) throw error;
      return this.#applyTo(type, await this.get(type, object.metadata, options), desired, options);
    }
  }

  async applyStatus<T extends KubeObject & { readonly status?: unknown }>(
    type: ResourceType<T>,
    object: T,
    status: NonNullable<T["status"]>,
    options?: RequestOptions,
  ): Promise<T> {
    if (isEqualStatus(object.status, status)) return object;
    const { name, namespace, uid, resourceVersion } = object.metadata;
    const metadata = { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion };
    return this.#put(type, { metadata, status } as unknown as T, "status", options);
  }

  async addFinalizer<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    finalizer: string,
    options?: RequestOptions,
  ): Promise<T> {
    const { finalizers = [] } = object.metadata;
    if (finalizers.includes(finalizer)) return object;
    if (isDeleting(object))
      throw new TypeError(`${type.kind} ${formatKey(keyOf(object))} is being deleted: no finalizer can be added to it`);
    return this.patch(type, keyOf(object), finalizerAddition(object, finalizer), options);
  }

  async removeFinalizer<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    finalizer: string,
    options?: RequestOptions,
  ): Promise<void> {
    let current: T | undefined = object;
    for (let attempt = 1; current?.metadata.uid === object.metadata.uid; attempt += 1) {
      const patch = finalizerRemoval(current, finalizer);
      if (patch === undefined) return;
      try {
        await this.patch(type, keyOf(current), patch, options);
        return;
      } catch (error) {
        if (isApiError(error, "NotFound")) return;
        // A failed `test` is a 422, as is the finalizer that somebody else has moved meanwhile.
        if (!isApiError(error, "Invalid", "Conflict") || attempt === 3) throw error;
        current = await ignoreNotFound(this.get(type, keyOf(object), options));
      }
    }
  }

  async delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const { uid, resourceVersion, gracePeriodSeconds, propagationPolicy } = options;
    const body = {
      apiVersion: "v1",
      kind: "DeleteOptions",
      gracePeriodSeconds,
      propagationPolicy,
      ...((uid !== undefined || resourceVersion !== undefined) && { preconditions: { uid, resourceVersion } }),
    };
    this.#core.fence?.();
    const answer = await this.#core.transport.send<KubeObject & { readonly details?: { readonly uid?: string } }>({
      method: "DELETE",
      path: objectPath(type, key),
      body,
      signal: this.#until(options),
    });
    const { memory } = this.#core;
    if (memory === undefined) return;
    // Held by a finalizer or its grace period, it is answered whole; gone at once, it may be either.
    if (answer.kind !== "Status" && answer.metadata?.deletionTimestamp !== undefined && isHeldBack(answer))
      memory.wrote(type, answer);
    else {
      const gone = answer.kind === "Status" ? (answer.details?.uid ?? uid) : answer.metadata.uid;
      if (gone !== undefined) memory.deleted(type, key, gone);
    }
  }

  close(): void {
    this.#core.transport.close();
  }

  async #applyTo<T extends KubeObject>(
    type: ResourceType<T>,
    live: T,
    desired: Applied<T>,
    options: ApplyOptions<T>,
  ): Promise<T> {
    const ours = options.ours ?? ((object) => hasController(object, desired));
    if (!ours(live)) throw new OwnershipConflictError(type, live);
    const { fieldManager } = this.#core;
    const plan = planApply(desired, live, fieldManager);
    if (plan === "nothing") return live;
    if (plan === "adopt") await adoptCreatedFields(this, type, live, fieldManager, options);
    const query = queryOf({ fieldManager, force: true });
    // With its UID, a namesake that was made since is a conflict.
    const body = this.#typed(type, { ...desired, metadata: { ...desired.metadata, uid: live.metadata.uid } });
    const path = objectPath(type, desired.metadata) + query;
    return this.#write(type, {
      method: "PATCH",
      path,
      body,
      contentType: applyPatchType,
      signal: this.#until(options),
    });
  }

  async #put<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    subresource: "status" | undefined,
    options?: RequestOptions,
  ): Promise<T> {
    // The API server keeps its own book of managers where it is given none.
    const { managedFields: _, ...metadata } = object.metadata;
    const query = queryOf({ fieldManager: this.#core.fieldManager });
    const path = objectPath(type, object.metadata, subresource) + query;
    const body = this.#typed(type, { ...object, metadata });
    return this.#write(type, { method: "PUT", path, body, signal: this.#until(options) });
  }

  async #patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    body: object,
    contentType: string,
    options: PatchOptions = {},
  ): Promise<T> {
    const query = queryOf({ fieldManager: this.#core.fieldManager });
    const path = objectPath(type, key, options.subresource) + query;
    const request = { method: "PATCH", path, body, contentType, signal: this.#until(options) } as const;
    return options.subresource === "scale" ? this.#send(request) : this.#write(type, request);
  }

  async #write<T extends KubeObject>(type: ResourceType<T>, request: TransportRequest): Promise<T> {
    const object = await this.#send<T>(request);
    this.#core.memory?.wrote(type, object);
    return object;
  }

  async #send<T>(request: TransportRequest): Promise<T> {
    this.#core.fence?.();
    return this.#core.transport.send<T>(request);
  }

  #typed(type: ResourceType, object: object): object {
    return { apiVersion: apiVersionOf(type), kind: type.kind, ...object };
  }

  #until(options: RequestOptions | undefined): AbortSignal | undefined {
    const signal = options?.signal;
    if (signal === undefined || this.#signal === undefined) return signal ?? this.#signal;
    return AbortSignal.any([signal, this.#signal]);
  }
}

function withFieldsAnnotation<T extends KubeObject>(object: Applied<T>): Applied<T> {
  const annotations = { ...object.metadata.annotations, [fieldsAnnotation]: fieldSetOf(object) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function hasController<T extends KubeObject>(live: T, desired: Applied<T>): boolean {
  const controller = desired.metadata.ownerReferences?.find((reference) => reference.controller === true);
  return controller === undefined || controllerOf(live)?.uid === controller.uid;
}

function isHeldBack({ metadata }: KubeObject): boolean {
  return (metadata.finalizers?.length ?? 0) > 0 || (metadata.deletionGracePeriodSeconds ?? 0) > 0;
}

/** The type guard for views that only a real client can give. */
export function isApiClient(client: Client): client is ApiClient {
  return client instanceof ApiClient;
}
