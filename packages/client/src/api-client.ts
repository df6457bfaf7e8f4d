import {
  formatKey,
  isDeleting,
  type KubeObject,
  keyOf,
  type ObjectKey,
  type ResourceType,
} from "@trimtab/apimachinery";
import { applyObject } from "./apply-object.ts";
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
import { finalizerAddition } from "./finalizer-patch.ts";
import type { ObjectMemory } from "./object-memory.ts";
import { removeFinalizer } from "./remove-finalizer.ts";
import type { DeleteAnswer, PatchFormat, RequestLimit, ResourceRequests } from "./resource-requests.ts";
import { isEqualStatus } from "./status-equality.ts";
import type { WatchEvent } from "./watch-event.ts";
import { writeStatus } from "./write-status.ts";

/** The client of a real API server; light to make, so that each reconcile has a view of its own. */
export class ApiClient implements Client {
  readonly #requests: ResourceRequests;
  readonly #memory: ObjectMemory | undefined;
  readonly #signal: AbortSignal | undefined;

  constructor(requests: ResourceRequests, memory?: ObjectMemory, signal?: AbortSignal) {
    this.#requests = requests;
    this.#memory = memory;
    this.#signal = signal;
  }

  withMemory(memory: ObjectMemory): ApiClient {
    return new ApiClient(this.#requests, memory, this.#signal);
  }

  withSignal(signal: AbortSignal): ApiClient {
    return new ApiClient(this.#requests, this.#memory, signal);
  }

  limitedBy(limit: RequestLimit): ApiClient {
    return new ApiClient(this.#requests.limitedBy(limit), this.#memory, this.#signal);
  }

  async get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: RequestOptions): Promise<T> {
    return this.#requests.get(type, key, this.#until(options));
  }

  async list<T extends KubeObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    return this.#requests.list(type, options, this.#until(options));
  }

  watch<T extends KubeObject>(type: ResourceType<T>, options: WatchOptions): AsyncIterable<WatchEvent<T>> {
    return this.#requests.watch(type, options, this.#until(options));
  }

  async create<T extends KubeObject>(type: ResourceType<T>, object: Created<T>, options?: RequestOptions): Promise<T> {
    return this.#wrote(type, await this.#requests.create<T>(type, object, { signal: this.#until(options) }));
  }

  async update<T extends KubeObject>(type: ResourceType<T>, object: T, options?: RequestOptions): Promise<T> {
    const body = withoutManagedFields(object);
    return this.#wrote(type, await this.#requests.update<T>(type, body, { signal: this.#until(options) }));
  }

  async updateStatus<T extends KubeObject>(type: ResourceType<T>, object: T, options?: RequestOptions): Promise<T> {
    const put = { subresource: "status", signal: this.#until(options) };
    return this.#wrote(type, await this.#requests.update<T>(type, withoutManagedFields(object), put));
  }

  async patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: JsonPatch,
    options?: PatchOptions,
  ): Promise<T> {
    return this.#patch(type, key, { format: "json-patch+json", body: patch }, options);
  }

  async mergePatch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: object,
    options?: PatchOptions,
  ): Promise<T> {
    return this.#patch(type, key, { format: "merge-patch+json", body: patch }, options);
  }

  async apply<T extends KubeObject>(type: ResourceType<T>, object: Applied<T>, options?: ApplyOptions<T>): Promise<T> {
    const context = { requests: this.#requests, memory: this.#memory, signal: this.#until(options) };
    return applyObject(context, type, object, options ?? {});
  }

  async applyStatus<T extends KubeObject & { readonly status?: unknown }>(
    type: ResourceType<T>,
    object: T,
    status: NonNullable<T["status"]>,
    options?: RequestOptions,
  ): Promise<T> {
    if (isEqualStatus(object.status, status)) return object;
    return this.#wrote(type, await writeStatus(this.#requests, type, { ...object, status }, this.#until(options)));
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
    const removed = await removeFinalizer(this.#requests, type, { object, finalizer, signal: this.#until(options) });
    if (removed !== undefined) this.#wrote(type, removed);
  }

  async delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const answer = await this.#requests.delete(type, key, options, this.#until(options));
    if (isStillThere(answer)) this.#memory?.wrote(type, answer);
    else {
      const uid = answer.kind === "Status" ? (answer.details?.uid ?? options.uid) : answer.metadata.uid;
      if (uid !== undefined) this.#memory?.deleted(type, key, uid);
    }
  }

  close(): void {
    this.#requests.close();
  }

  async #patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: { readonly format: PatchFormat; readonly body: object },
    options?: PatchOptions,
  ): Promise<T> {
    const subresource = options?.subresource;
    const request = { ...patch, subresource, signal: this.#until(options) };
    const answer = await this.#requests.patch<T>(type, key, request);
    // To `scale`, a Scale is answered.
    return subresource === "scale" ? answer : this.#wrote(type, answer);
  }

  #wrote<T extends KubeObject>(type: ResourceType<T>, object: T): T {
    this.#memory?.wrote(type, object);
    return object;
  }

  #until(options: RequestOptions | undefined): AbortSignal | undefined {
    const signal = options?.signal;
    if (signal === undefined || this.#signal === undefined) return signal ?? this.#signal;
    return AbortSignal.any([signal, this.#signal]);
  }
}

/** The API server keeps its own book of managers where it is given none. */
function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Whether an object waits for its finalizers or its grace period: only then is it answered with a time of deletion. */
function isStillThere(answer: DeleteAnswer): boolean {
  if (answer.kind === "Status" || !isDeleting(answer)) return false;
  const { finalizers = [], deletionGracePeriodSeconds = 0 } = answer.metadata;
  return finalizers.length > 0 || deletionGracePeriodSeconds > 0;
}

/** The type guard for views that only a real client can give. */
export function isApiClient(client: Client): client is ApiClient {
  return client instanceof ApiClient;
}
