import type { ResourceType } from "@trimtab/apimachinery";

/** How one stream of a kind is doing: of all namespaces, or of one. */
interface StreamReport {
  readonly type: ResourceType;
  readonly namespace?: string;
  /** Whether all that exists has been listed once, and listeners told of it. */
  readonly synced: boolean;
  /** For how long it has been in this state. */
  readonly sinceMs: number;
  /** How long ago the API server last gave a sign of life on it: of a healthy one less than a minute. */
  readonly silentMs: number;
}

/** How one informer is doing; `readyz` and the log are made of these. */
export type InformerHealth =
  | (StreamReport & { readonly state: "starting" | "alive" })
  /** The last request failed; it is being tried again. */
  | (StreamReport & { readonly state: "failing"; readonly error: Error });

export interface StreamHealthOptions {
  readonly type: ResourceType;
  readonly namespace?: string;
  /** Told when the state is another, or the error is. */
  readonly onChange: (health: InformerHealth) => void;
}

/** Keeps account of how a stream is doing. */
export class StreamHealth {
  readonly #options: StreamHealthOptions;
  #state: "starting" | "alive" | "failing" = "starting";
  #error: Error | undefined;
  #synced = false;
  #changedAt: number = performance.now();
  #heardAt: number = performance.now();

  constructor(options: StreamHealthOptions) {
    this.#options = options;
  }

  /** What the last request failed with, if it did. */
  get error(): Error | undefined {
    return this.#error;
  }

  get synced(): boolean {
    return this.#synced;
  }

  /** The API server gave a sign of life. */
  heard(): void {
    this.#heardAt = performance.now();
  }

  alive(): void {
    this.heard();
    if (this.#state !== "alive") this.#change("alive", undefined);
  }

  listed(): void {
    this.#synced = true;
    this.alive();
  }

  failing(error: Error): void {
    if (this.#error?.message !== error.message) this.#change("failing", error);
  }

  report(): InformerHealth {
    const { type, namespace } = this.#options;
    const now = performance.now();
    const report: StreamReport = {
      type,
      ...(namespace !== undefined && { namespace }),
      synced: this.#synced,
      sinceMs: now - this.#changedAt,
      silentMs: now - this.#heardAt,
    };
    if (this.#error !== undefined) return { ...report, state: "failing", error: this.#error };
    return { ...report, state: this.#state === "alive" ? "alive" : "starting" };
  }

  #change(state: "alive" | "failing", error: Error | undefined): void {
    // A new error does not make the trouble a new one.
    if (state !== this.#state) this.#changedAt = performance.now();
    this.#state = state;
    this.#error = error;
    this.#options.onChange(this.report());
  }
}
