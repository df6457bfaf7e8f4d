import type { Cache } from "@trimtab/cache";
import type { Client } from "@trimtab/client";
import type { EventRecorder } from "@trimtab/events";
import type { Logger } from "pino";
import type { ControllerDefinition } from "./controller-for.ts";
import type { ControllerObserver } from "./controller-observer.ts";

/** What a controller needs of the process it runs in. */
export interface ControllerRuntime {
  readonly cache: Cache;
  /** Has the cache as its memory. */
  readonly client: Client;
  readonly log: Logger;
  readonly events: EventRecorder;
  /** Takes the place of the definition's own. */
  readonly maxConcurrentReconciles?: number;
  readonly observer?: ControllerObserver;
}

/** One loop for one kind: subscribes to the cache when made, so it must be made before the cache runs. */
export declare class Controller {
  constructor(definition: ControllerDefinition, runtime: ControllerRuntime);
  readonly name: string;
  /**
   * Waits until the kinds it reads have synced, then reconciles until `signal` aborts: then takes no
   * more keys, and resolves once the reconciles under way have ended. `hurry` aborts those too.
   */
  run(signal: AbortSignal, hurry: AbortSignal): Promise<void>;
  /** The keys whose reconcile has been under way for longer than this. */
  stuck(ms: number): readonly string[];
}
