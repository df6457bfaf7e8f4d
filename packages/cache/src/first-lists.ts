import { isApiError } from "@trimtab/client";

/** How a stream that has yet to be listed is doing. */
interface Attempt {
  /** What its last request failed with, if it did. */
  readonly error: Error | undefined;
}

/**
 * What the streams of an informer have yet to list for the first time.
 *
 * A namespace that is forbidden keeps nobody waiting, unless all are: it may be so for ever, and it is known that nothing
 * is held of it. Any other trouble is waited for.
 */
export class FirstLists {
  /** By namespace. */
  readonly #missing = new Map<string, Attempt>();
  readonly #synced = Promise.withResolvers<void>();
  #hasAny = false;

  /** Resolves once there is nothing left to wait for. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  expect(namespace: string, attempt: Attempt): void {
    this.#missing.set(namespace, attempt);
  }

  has(namespace: string): boolean {
    return !this.#missing.has(namespace);
  }

  /** Why there is no list of a namespace, if the API server forbids one. */
  forbidden(namespace: string): Error | undefined {
    const error = this.#missing.get(namespace)?.error;
    return error !== undefined && isApiError(error, "Forbidden") ? error : undefined;
  }

  /** @returns whether it is the first of that namespace */
  add(namespace: string): boolean {
    this.#hasAny = true;
    return this.#missing.delete(namespace);
  }

  /** To be called once listeners have been told of a list, and when an attempt has failed. */
  settle(): void {
    if (!this.#hasAny) return;
    const isAwaited = (namespace: string): boolean => this.forbidden(namespace) === undefined;
    if (!Array.from(this.#missing.keys()).some(isAwaited)) this.#synced.resolve();
  }
}
