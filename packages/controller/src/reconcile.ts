import type { KubeObject } from "@trimtab/apimachinery";
import type { CacheReader } from "@trimtab/cache";
import type { Client } from "@trimtab/client";
import type { Recorder } from "@trimtab/events";
import type { Logger } from "pino";
import type { Result } from "./result.ts";

/**
 * Brings the cluster closer to what `object` asks for.
 *
 * Called with the object as the cache has it now, never with an event: the
 * same call must be right after a change, after a restart and for no reason.
 * Throwing means "try again later"; throwing a TerminalError, "do not".
 */
export type Reconcile<T extends KubeObject, Cached extends KubeObject = T> = (
  object: T,
  context: ReconcileContext<Cached>,
) => Promise<Result>;

/**
 * What a run may use. A reconcile that reads fewer kinds than were declared is welcome, one that reads more is not:
 * that is the `in`.
 */
export interface ReconcileContext<in Cached extends KubeObject> {
  /** What the informers know: fast, perhaps a moment old, and only of the kinds that were declared. */
  readonly cache: CacheReader<Cached>;
  /** The API server itself; ends its requests when `signal` aborts. */
  readonly client: Client;
  /** Already carries the controller, the object and the reconcile's id. */
  readonly log: Logger;
  /** Events about this object, for `kubectl describe`. */
  readonly recorder: Recorder;
  /** Aborts when the manager stops or the reconcile has taken too long. */
  readonly signal: AbortSignal;
}
