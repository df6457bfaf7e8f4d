import type { KubeObject, LabelSelector, ObjectKey, ObjectMeta, ResourceType } from "@trimtab/apimachinery";
import type { WatchEvent } from "./watch-event.ts";

type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T;

/** What a caller writes down of an object: its name and the fields it owns. */
export type Applied<T extends KubeObject> = Omit<DeepPartial<T>, "apiVersion" | "kind" | "metadata" | "status"> & {
  readonly metadata: ObjectKey & WrittenMetadata;
};

/** An object to be created; with `generateName` the API server makes up the name. */
export type Created<T extends KubeObject> = Omit<DeepPartial<T>, "apiVersion" | "kind" | "metadata" | "status"> & {
  readonly metadata: Partial<ObjectKey> & WrittenMetadata;
};

/** What an author may say of an object beside its name. */
export type WrittenMetadata = Partial<
  Pick<ObjectMeta, "annotations" | "finalizers" | "generateName" | "labels" | "ownerReferences">
>;

export interface RequestOptions {
  /** Ends the request; an aborted one rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface ListOptions extends RequestOptions {
  /** @default all namespaces */
  readonly namespace?: string;
  readonly labelSelector?: LabelSelector;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
}

export interface ObjectList<T extends KubeObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** Present where `limit` cut the list short: the token for the next page. */
  readonly continue?: string;
}

export interface WatchOptions extends RequestOptions {
  readonly namespace?: string;
  readonly labelSelector?: LabelSelector;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  /** Begin with what exists, ended by a bookmark (WatchList, KEP-3157). */
  readonly sendInitialEvents?: boolean;
  /** How long the server is to keep the watch open, in seconds. @default the server's choice, 30 to 60 minutes */
  readonly timeoutSeconds?: number;
  /** The watch is broken off with an error after this long without a byte. @default never */
  readonly idleTimeoutMs?: number;
  /** Called when the server has agreed to the watch: long before the first event of a kind at rest. */
  readonly onOpen?: () => void;
}

export interface ApplyOptions<T extends KubeObject> extends RequestOptions {
  /**
   * Whether an object that is already there under this name may be written.
   * @default it has the same controller by UID as the applied one; always, if that names no controller
   */
  readonly ours?: (live: T) => boolean;
}

export interface DeleteOptions extends RequestOptions {
  /** Refuse to delete a namesake that was made since: a 409 Conflict. */
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
}

export interface PatchOptions extends RequestOptions {
  readonly subresource?: "status" | "scale";
}

/** RFC 6902. */
export type JsonPatch = readonly {
  readonly op: "add" | "remove" | "replace" | "test";
  readonly path: string;
  readonly value?: unknown;
}[];

/**
 * The verbs of one API server, typed by the `ResourceType` they are given. Every call is a request,
 * but for an `apply` or `applyStatus` that would change nothing of what the client's memory holds.
 * A failure is an `ApiError`.
 */
export interface Client {
  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: RequestOptions): Promise<T>;
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Ends when the server ends it; throws `ApiError` if refused and `TransportError` if broken off. */
  watch<T extends KubeObject>(type: ResourceType<T>, options: WatchOptions): AsyncIterable<WatchEvent<T>>;
  create<T extends KubeObject>(type: ResourceType<T>, object: Created<T>, options?: RequestOptions): Promise<T>;
  /** A PUT: the object's resourceVersion is the lock. */
  update<T extends KubeObject>(type: ResourceType<T>, object: T, options?: RequestOptions): Promise<T>;
  /** `updateStatus` as a PUT of the status subresource. */
  updateStatus<T extends KubeObject>(type: ResourceType<T>, object: T, options?: RequestOptions): Promise<T>;
  patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: JsonPatch,
    options?: PatchOptions,
  ): Promise<T>;
  mergePatch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: object,
    options?: PatchOptions,
  ): Promise<T>;
  /**
   * Makes the object hold these fields, and none that this client applied before and no longer does.
   *
   * - Sends nothing where that is already so.
   * - Creates what is absent with a POST, so that nobody else's object of that name is taken over:
   *   one that is there and not `ours` is left alone, and an `OwnershipConflictError` thrown.
   * - Otherwise server-side apply (KEP-555), forced, of the object with that UID and no other.
   *
   * What others put in the place of a field stays beside it: where the API server allows only one of them, as of the
   * sources of a volume, it refuses the apply as `Invalid`, each time, until theirs is gone.
   */
  apply<T extends KubeObject>(type: ResourceType<T>, object: Applied<T>, options?: ApplyOptions<T>): Promise<T>;
  /**
   * Makes the status of the object with this UID be `status`, whole; sends nothing where it is already so.
   */
  applyStatus<T extends KubeObject & { readonly status?: unknown }>(
    type: ResourceType<T>,
    object: T,
    status: NonNullable<T["status"]>,
    options?: RequestOptions,
  ): Promise<T>;
  /** Adds the finalizer by a JSON Patch that tests the resourceVersion; refuses on an object that is being deleted. */
  addFinalizer<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    finalizer: string,
    options?: RequestOptions,
  ): Promise<T>;
  /** Takes the finalizer off by a JSON Patch with `test`; an object that is gone, or no longer holds it, is success. */
  removeFinalizer<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    finalizer: string,
    options?: RequestOptions,
  ): Promise<void>;
  /** Resolves once the server has agreed; an object that is already gone is an `ApiError` NotFound. */
  delete(type: ResourceType, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /** Closes every connection. */
  close(): void;
}
