import type { KubeObject, ResourceType } from "@trimtab/apimachinery";
import type { Client, ListOptions, ObjectList, WatchEvent, WatchOptions } from "@trimtab/client";

/** A list that a reflector asked for, and a test has to answer. */
export class ScriptedList {
  readonly answered: PromiseWithResolvers<ObjectList<KubeObject>> = Promise.withResolvers();
  readonly type: ResourceType;
  readonly options: ListOptions;

  constructor(type: ResourceType, options: ListOptions) {
    this.type = type;
    this.options = options;
    options.signal?.addEventListener("abort", () => this.fail(options.signal?.reason));
  }

  answer(items: readonly KubeObject[], resourceVersion: string, next?: string): void {
    this.answered.resolve({ items, resourceVersion, ...(next !== undefined && { continue: next }) });
  }

  fail(error: Error): void {
    this.answered.reject(error);
  }
}

/** A watch that a reflector asked for, and a test plays the server of. */
export class ScriptedWatch {
  readonly type: ResourceType;
  readonly options: WatchOptions;
  readonly #events: WatchEvent<KubeObject>[] = [];
  #outcome: { readonly error?: Error } | undefined;
  #changed: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(type: ResourceType, options: WatchOptions) {
    this.type = type;
    this.options = options;
    options.signal?.addEventListener("abort", () => this.fail(options.signal?.reason));
  }

  open(): this {
    this.options.onOpen?.();
    return this;
  }

  send(...events: readonly WatchEvent<KubeObject>[]): this {
    this.#events.push(...events);
    this.#change();
    return this;
  }

  added(...objects: readonly KubeObject[]): this {
    return this.send(...objects.map((object) => ({ type: "ADDED", object }) as const));
  }

  modified(...objects: readonly KubeObject[]): this {
    return this.send(...objects.map((object) => ({ type: "MODIFIED", object }) as const));
  }

  deleted(...objects: readonly KubeObject[]): this {
    return this.send(...objects.map((object) => ({ type: "DELETED", object }) as const));
  }

  bookmark(resourceVersion: string, initialEventsEnd = false): this {
    return this.send({ type: "BOOKMARK", resourceVersion, initialEventsEnd });
  }

  end(): void {
    this.#outcome = {};
    this.#change();
  }

  fail(error: Error): void {
    this.#outcome = { error };
    this.#change();
  }

  async *events(): AsyncGenerator<WatchEvent<KubeObject>> {
    for (;;) {
      while (this.#events.length > 0) yield* this.#events.splice(0);
      if (this.#outcome?.error !== undefined) throw this.#outcome.error;
      if (this.#outcome !== undefined) return;
      await this.#changed.promise;
      this.#changed = Promise.withResolvers();
    }
  }

  #change(): void {
    this.#changed.resolve();
  }
}

/** An API server whose every answer a test gives: it awaits a request, looks at it, and plays its part. */
export class ScriptedClient {
  readonly #requests: (ScriptedList | ScriptedWatch)[] = [];
  readonly #waiting: ((request: ScriptedList | ScriptedWatch) => void)[] = [];
  // A client is typed by the kind of each call; a script plays any.
  readonly client: Pick<Client, "list" | "watch"> = {
    list: ((type: ResourceType, options: ListOptions) => {
      const list = new ScriptedList(type, options);
      this.#arrive(list);
      return list.answered.promise;
    }) as Client["list"],
    watch: ((type: ResourceType, options: WatchOptions) => {
      const watch = new ScriptedWatch(type, options);
      this.#arrive(watch);
      return watch.events();
    }) as Client["watch"],
  };

  /** The next request, which must be a watch. */
  async watch(): Promise<ScriptedWatch> {
    const request = await this.#next();
    if (request instanceof ScriptedWatch) return request;
    throw new Error(`expected a watch, got a list of ${JSON.stringify(request.options)}`);
  }

  /** The next request, which must be a list. */
  async list(): Promise<ScriptedList> {
    const request = await this.#next();
    if (request instanceof ScriptedList) return request;
    throw new Error(`expected a list, got a watch of ${JSON.stringify(request.options)}`);
  }

  #next(): Promise<ScriptedList | ScriptedWatch> {
    const request = this.#requests.shift();
    if (request !== undefined) return Promise.resolve(request);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #arrive(request: ScriptedList | ScriptedWatch): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#requests.push(request);
    else waiting(request);
  }
}
