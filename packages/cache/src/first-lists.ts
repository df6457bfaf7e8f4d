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
 * is held of it. Any other trouble is waited for. Once nothing is, what is still missing stays forbidden until it is
 * listed: another trouble there does not mean that nothing exists.
 */
export class FirstLists {
  /** By namespace. */
  readonly #missing = new Map<string, Attempt>();
  /** Of those that are missing, the ones that are not waited for, and what they were last forbidden with. */
  readonly #forbidden = new Map<string, Error>();
  readonly #synced = Promise.withResolvers<void>();
  #hasAny = false;
  #isSynced = false;

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

  /** Why there is no list of a namespace, if the API server has forbidden one. */
  forbidden(namespace: string): Error | undefined {
    return this.#forbidden.get(namespace);
  }

  /** @returns whether it is the first of that namespace */
  add(namespace: string): boolean {
    this.#hasAny = true;
    this.#forbidden.delete(namespace);
    return this.#missing.delete(namespace);
  }

  /** To be called once listeners have been told of a list, and when an attempt has failed. */
  settle(): void {
    for (const [namespace, { error }] of this.#missing) {
      if (error !== undefined && isApiError(error, "Forbidden")) this.#forbidden.set(namespace, error);
      else if (!this.#isSynced) this.#forbidden.delete(namespace);
    }
    if (!this.#hasAny || this.#forbidden.size < this.#missing.size) return;
    this.#isSynced = true;
    this.#synced.resolve();
  }
}
