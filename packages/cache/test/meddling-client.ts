import type { KubeObject, ResourceType } from "@trimtab/apimachinery";
import {
  ApiError,
  type Client,
  type ListOptions,
  type ObjectList,
  type WatchEvent,
  type WatchOptions,
} from "@trimtab/client";

/** The client of a real API server, with a network between them that a test can cut. */
export class MeddlingClient implements Pick<Client, "list" | "watch"> {
  readonly lists: ListOptions[] = [];
  readonly watches: WatchOptions[] = [];
  readonly #real: Client;
  readonly #offersStreams: boolean;
  readonly #lookouts: (() => void)[] = [];
  #held: PromiseWithResolvers<void> | undefined;
  #cut = new AbortController();

  /** @param options.offersStreams whether to pass on requests for initial events, or refuse them as older servers do */
  constructor(real: Client, options: { readonly offersStreams: boolean } = { offersStreams: true }) {
    this.#real = real;
    this.#offersStreams = options.offersStreams;
  }

  /** Breaks off the watches under way. */
  cut(): void {
    this.#cut.abort();
    this.#cut = new AbortController();
  }

  /** Breaks off the watches under way, and lets none begin until the returned function is called. */
  hold(): () => void {
    const held = Promise.withResolvers<void>();
    this.#held = held;
    this.cut();
    return () => held.resolve();
  }

  /** Resolves once that many watches have been asked for. */
  async whenWatches(count: number): Promise<void> {
    while (this.watches.length < count) await new Promise<void>((resolve) => this.#lookouts.push(resolve));
  }

  list<T extends KubeObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    this.lists.push(options);
    return this.#real.list(type, options);
  }

  async *watch<T extends KubeObject>(type: ResourceType<T>, options: WatchOptions): AsyncGenerator<WatchEvent<T>> {
    await this.#held?.promise;
    this.watches.push(options);
    for (const look of this.#lookouts.splice(0)) look();
    if (!this.#offersStreams && options.sendInitialEvents === true) {
      throw new ApiError("sendInitialEvents is forbidden for watch", { reason: "Invalid", statusCode: 422 });
    }
    const cut = this.#cut.signal;
    const signal = options.signal === undefined ? cut : AbortSignal.any([options.signal, cut]);
    yield* this.#real.watch(type, { ...options, signal });
    if (cut.aborted) throw new Error("the connection was cut");
  }
}
