import type { Lease } from "@trimtab/apimachinery";
import { ApiError, type Client, type RequestOptions } from "@trimtab/client";

/** Holds one Lease as an API server does: an update of an older version is a conflict. */
export class LeaseServer {
  lease: Lease | undefined;
  /** Every spec that was written. */
  readonly written: NonNullable<Lease["spec"]>[] = [];
  requests = 0;
  /** What each of the next requests fails with, or `undefined` for one that succeeds. */
  readonly failures: (Error | undefined)[] = [];
  /** Whether requests are left without an answer, until they are given up. */
  isSilent = false;
  #version = 0;

  get client(): Client {
    const client = {
      get: (_: unknown, _key: unknown, options?: RequestOptions) => this.#answer(() => this.#read(), options),
      create: (_: unknown, lease: Lease, options?: RequestOptions) =>
        this.#answer(() => {
          if (this.lease !== undefined) throw new ApiError("it is there", { reason: "AlreadyExists", statusCode: 409 });
          return this.write(lease.spec);
        }, options),
      update: (_: unknown, { metadata, spec }: Lease, options?: RequestOptions) =>
        this.#answer(() => {
          if (this.#read().metadata.resourceVersion !== metadata.resourceVersion)
            throw new ApiError("somebody else was faster", { reason: "Conflict", statusCode: 409 });
          return this.write(spec);
        }, options),
    };
    return client as unknown as Client;
  }

  write(spec: Lease["spec"]): Lease {
    this.#version += 1;
    const metadata = { name: "lease", namespace: "home", uid: "1", resourceVersion: String(this.#version) };
    this.lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec } as Lease;
    this.written.push({ ...spec });
    return this.lease;
  }

  #read(): Lease {
    if (this.lease === undefined) throw new ApiError("it is not there", { reason: "NotFound", statusCode: 404 });
    return this.lease;
  }

  async #answer(work: () => Lease, { signal }: RequestOptions = {}): Promise<Lease> {
    this.requests += 1;
    signal?.throwIfAborted();
    if (this.isSilent)
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    return work();
  }
}
