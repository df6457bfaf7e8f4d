import { randomUUID } from "node:crypto";
import type { KubeObject } from "@trimtab/apimachinery";
import type { CacheReader } from "@trimtab/cache";
import type { Client } from "@trimtab/client";
import type { EventRecorder, Recorder } from "@trimtab/events";
import type { Logger } from "pino";
import type { ReconcileContext } from "./reconcile.ts";

/** What the runs of one controller share. */
export interface RunScope {
  readonly cache: CacheReader;
  /** Carries the controller's name. */
  readonly log: Logger;
  readonly events: EventRecorder;
}

/** The context of one run. Most runs log nothing and record nothing, so what that needs is made when asked for. */
export class ReconcileRun implements ReconcileContext<KubeObject> {
  readonly cache: CacheReader;
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly #scope: RunScope;
  readonly #object: KubeObject;
  #log: Logger | undefined;
  #recorder: Recorder | undefined;

  constructor(scope: RunScope, object: KubeObject, { client, signal }: { client: Client; signal: AbortSignal }) {
    this.cache = scope.cache;
    this.client = client;
    this.signal = signal;
    this.#scope = scope;
    this.#object = object;
  }

  get log(): Logger {
    const { namespace, name } = this.#object.metadata;
    this.#log ??= this.#scope.log.child({
      ...(namespace !== undefined && { namespace }),
      name,
      reconcileID: randomUUID(),
    });
    return this.#log;
  }

  get recorder(): Recorder {
    this.#recorder ??= this.#scope.events.recorderFor(this.#object);
    return this.#recorder;
  }
}
