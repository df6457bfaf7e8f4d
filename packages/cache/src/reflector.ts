import { setTimeout as sleep } from "node:timers/promises";
import { formatKey, type KubeObject, keyOf, type LabelSelector, type ResourceType } from "@trimtab/apimachinery";
import {
  ApiError,
  type Client,
  type ListOptions,
  TransportError,
  type WatchEvent,
  type WatchOptions,
} from "@trimtab/client";
import { Backoff } from "./backoff.ts";
import { type Pace, steadyPace } from "./pace.ts";
import { isExpired, isFromTheFuture, isInternal, isUnknownRequest } from "./refusal.ts";
import type { StreamHealth } from "./stream-health.ts";

/** Where a reflector writes what it sees. Its calls are synchronous and must not throw. */
export interface ReflectorTarget<T extends KubeObject> {
  /** All that exists, in the place of all that was held. */
  replace(objects: Iterable<T>, resourceVersion: string): void;
  saw(type: "ADDED" | "MODIFIED" | "DELETED", object: T): void;
  /** Nothing else has happened up to this resourceVersion. */
  reached(resourceVersion: string): void;
}

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: Pick<Client, "list" | "watch">;
  readonly type: ResourceType<T>;
  readonly namespace?: string;
  readonly labelSelector?: LabelSelector;
  readonly fieldSelector?: string;
  /** Cuts an object down to what is kept of it, as soon as it is read. */
  readonly prepare: (object: T) => T;
  readonly target: ReflectorTarget<T>;
  readonly health: StreamHealth;
  readonly pace?: Pace;
}

/**
 * What to ask the server next. A list is of a state not older than `from`, "" being the newest; it comes
 * as a stream (WatchList, KEP-3157), in pages, or whole: pages of a state may expire before the last.
 */
type Request = Listing | { readonly do: "watch" };
interface Listing {
  readonly do: "list";
  readonly from: string;
  readonly by: "stream" | "pages" | "whole";
}

/** As client-go's pager. */
const pageSize = 500;

/**
 * Keeps a target equal to what the API server holds of one kind, for as long as it runs.
 *
 * - Resumes where a watch ended or broke off; lists again only if the server has forgotten that point (410).
 * - A list never takes the target back in time, unless the server itself was taken back.
 * - The target is given a list once it is complete, in one call.
 * - No failure ends it: it waits, longer each time, and tries again.
 */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #pace: Pace;
  readonly #backoff: Backoff;
  #request: Request = { do: "list", from: "", by: "stream" };
  /** Whether the server, as far as is known, can list by a stream. */
  #streams = true;
  #version = "";
  /** Whether the server has agreed to the watch under way. */
  #open = false;
  /** Watches in a row that broke off without having shown anything. */
  #barren = 0;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#pace = options.pace ?? steadyPace;
    this.#backoff = new Backoff(this.#pace.secondMs);
  }

  /** The target is as the server was at this resourceVersion; "" before the first list. */
  get version(): string {
    return this.#version;
  }

  /** Resolves when the signal aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const startedAt = performance.now();
      const asked = this.#request;
      const error = await this.#send(signal).then(() => undefined, asError);
      if (signal.aborted) return;
      // A request that was refused says nothing of how far the API server is.
      if (error === undefined) this.#options.target.reached(this.#version);
      const livedMs = performance.now() - startedAt;
      const waitMs = error === undefined ? this.#afterEnd(asked, livedMs) : this.#afterFailure(error, livedMs);
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #send(signal: AbortSignal): Promise<void> {
    this.#open = false;
    if (this.#request.do === "watch") await this.#resume(signal);
    else if (this.#request.by === "stream") await this.#stream(this.#request.from, signal);
    else await this.#list(this.#request.from, this.#request.by, signal);
  }

  async #resume(signal: AbortSignal): Promise<void> {
    for await (const event of this.#watch({ resourceVersion: this.#version, signal })) this.#take(event);
  }

  async #stream(from: string, signal: AbortSignal): Promise<void> {
    const version = from === "" ? {} : { resourceVersion: from };
    // The initial events come in no order, and only the bookmark after them has a version to resume from.
    let initial: Map<string, T> | undefined = new Map();
    for await (const event of this.#watch({ ...version, sendInitialEvents: true, signal })) {
      if (initial === undefined) this.#take(event);
      else if (event.type === "BOOKMARK") {
        if (!event.initialEventsEnd) continue;
        this.#replace(initial.values(), event.resourceVersion);
        initial = undefined;
      } else this.#collect(event, initial);
    }
    if (initial !== undefined) throw new Error("the watch ended before all that exists had been sent");
  }

  async #list(from: string, by: Listing["by"], signal: AbortSignal): Promise<void> {
    const { client, type, prepare, health } = this.#options;
    const start: ListOptions = from === "" ? {} : { resourceVersion: from, resourceVersionMatch: "NotOlderThan" };
    const limit = by === "pages" ? { limit: pageSize } : {};
    const objects: T[] = [];
    let page = await client.list(type, { ...this.#scope(), ...limit, ...start, signal });
    for (;;) {
      health.heard();
      for (const object of page.items) objects.push(prepare(object));
      if (page.continue === undefined) break;
      page = await client.list(type, { ...this.#scope(), ...limit, continue: page.continue, signal });
    }
    this.#replace(objects, page.resourceVersion);
  }

  #watch(options: WatchOptions): AsyncIterable<WatchEvent<T>> {
    const { client, type } = this.#options;
    const { watchSeconds, idleTimeoutMs } = this.#pace;
    const onOpen = (): void => this.#opened();
    const timeoutSeconds = Math.ceil(watchSeconds * (1 + Math.random() / 4));
    return client.watch(type, { ...this.#scope(), ...options, timeoutSeconds, idleTimeoutMs, onOpen });
  }

  #scope(): Pick<ListOptions, "namespace" | "labelSelector" | "fieldSelector"> {
    const { namespace, labelSelector, fieldSelector } = this.#options;
    return {
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
    };
  }

  #opened(): void {
    this.#open = true;
    // A list has still to come; and where watch after watch breaks off, being agreed to means little.
    if (this.#request.do === "watch" && this.#barren < 2) this.#options.health.alive();
    else this.#options.health.heard();
  }

  #take(event: WatchEvent<T>): void {
    const { health, target, prepare } = this.#options;
    if (event.type === "ERROR") throw event.error;
    health.alive();
    this.#barren = 0;
    if (event.type === "BOOKMARK") {
      this.#version = event.resourceVersion;
      target.reached(event.resourceVersion);
      return;
    }
    const object = prepare(event.object);
    this.#version = object.metadata.resourceVersion;
    target.saw(event.type, object);
  }

  #collect(event: Exclude<WatchEvent<T>, { type: "BOOKMARK" }>, initial: Map<string, T>): void {
    if (event.type === "ERROR") throw event.error;
    this.#options.health.heard();
    const key = formatKey(keyOf(event.object));
    if (event.type === "DELETED") initial.delete(key);
    else initial.set(key, this.#options.prepare(event.object));
  }

  #replace(objects: Iterable<T>, resourceVersion: string): void {
    this.#version = resourceVersion;
    this.#request = { do: "watch" };
    this.#options.target.replace(objects, resourceVersion);
    this.#options.health.listed();
  }

  /** @returns how long to wait after a request that came to its end */
  #afterEnd(asked: Request, livedMs: number): number {
    this.#barren = 0;
    const isListInPages = asked.do === "list" && asked.by !== "stream";
    return isListInPages || livedMs >= this.#pace.secondMs ? 0 : this.#backoff.next(undefined, livedMs);
  }

  /** Decides what to ask instead, and @returns how long to wait before that. */
  #afterFailure(error: Error, livedMs: number): number {
    const failed = this.#request;
    if (failed.do === "list" && failed.by === "stream" && isUnknownRequest(error)) this.#streams = false;
    this.#request = failed.do === "watch" ? this.#insteadOfWatch(error) : this.#insteadOfList(failed, error);
    if (failed.do === "list" && isAnswer(failed, error)) return 0;
    // That a watch breaks off is no failure, as long as the next one does better.
    const brokeOff = failed.do === "watch" && this.#open && error instanceof TransportError;
    if (brokeOff) this.#barren += 1;
    if (!isExpired(error) && (!brokeOff || this.#barren > 1)) this.#options.health.failing(error);
    return this.#backoff.next(error, livedMs);
  }

  #insteadOfWatch(error: Error): Request {
    if (isFromTheFuture(error)) return this.#listing("");
    // A 500 within a watch may stand for an object that the server cannot decode, again at each resumption.
    return isExpired(error) || isInternal(error) ? this.#listing(this.#version) : { do: "watch" };
  }

  #insteadOfList(failed: Listing, error: Error): Request {
    // Of the newest state, only the token for a next page can have expired.
    if (isExpired(error) && failed.from === "") return { ...failed, by: "whole" };
    if (isExpired(error) || isFromTheFuture(error)) return { ...failed, from: "" };
    if (error instanceof ApiError) return isUnknownRequest(error) ? this.#listing(failed.from) : failed;
    // A server older than WatchList never ends the initial events, and not every list gets through in pages.
    return failed.by === "stream" ? { ...failed, by: "pages" } : this.#listing(failed.from);
  }

  #listing(from: string): Listing {
    return { do: "list", from, by: this.#streams ? "stream" : "pages" };
  }
}

/** Whether a failure says what to ask instead, and nothing is wrong. */
function isAnswer(failed: Listing, error: Error): boolean {
  if (failed.by === "stream" && isUnknownRequest(error)) return true;
  return failed.from !== "" && (isExpired(error) || isFromTheFuture(error));
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error("the stream failed", { cause: thrown });
}
