import { type KubeObject, milliseconds, type ObjectKey } from "@trimtab/apimachinery";
import type { Cache } from "@trimtab/cache";
import { bindSignal, type Client, limitTo } from "@trimtab/client";
import type { EventRecorder } from "@trimtab/events";
import { exponentialBackoff, type RateLimiter, Workqueue } from "@trimtab/workqueue";
import type { Logger } from "pino";
import { accessOf } from "./access.ts";
import type { ControllerDefinition } from "./controller-for.ts";
import type { ControllerObserver, ControllerState, Outcome } from "./controller-observer.ts";
import { withDeadline } from "./deadline.ts";
import { type Failure, failureOf } from "./failure.ts";
import { missingRule } from "./missing-rule.ts";
import { ReconcileRun, type RunScope } from "./reconcile-run.ts";
import { requireSight } from "./require-sight.ts";
import type { Result } from "./result.ts";
import { subscribe } from "./subscribe.ts";

/** What a controller needs of the process it runs in. */
export interface ControllerRuntime {
  readonly cache: Cache;
  /** Has the cache as its memory. */
  readonly client: Client;
  readonly log: Logger;
  readonly events: EventRecorder;
  /** Takes the place of the definition's own; a whole number from 1. */
  readonly maxConcurrentReconciles?: number;
  readonly observer?: ControllerObserver;
}

/** An API server that is away is asked for often enough to be back at work within 5 s of its return. */
const outageBackoff = { baseMs: 100, maxMs: 4_000 };
/** Nothing tells when a rule is granted. */
const missingRuleBackoff = { baseMs: 500, maxMs: 30_000 };

/**
 * One loop for one kind: subscribes to the cache when made, so it must be made before the cache runs.
 *
 * - An object is reconciled by one worker at a time, and for any number of events meanwhile once more.
 * - Its key is not let go of before the promise of its reconcile has settled, aborted or not.
 * - What changes while the controller runs goes before what was there when it started.
 */
export class Controller implements ControllerState {
  readonly name: string;
  readonly maxConcurrentReconciles: number;
  readonly #definition: ControllerDefinition;
  readonly #runtime: ControllerRuntime;
  readonly #client: Client;
  readonly #log: Logger;
  readonly #scope: RunScope;
  readonly #queue: Workqueue;
  readonly #outage: RateLimiter = exponentialBackoff(outageBackoff);
  readonly #missingRule: RateLimiter = exponentialBackoff(missingRuleBackoff);
  /** When the reconciles under way began, by key. */
  readonly #underWay = new Map<string, number>();
  /** Whether the last reconcile that ended did so because the API server was away. */
  #unavailable = false;

  /** @throws RangeError if it is to reconcile no object at once, or a part of one */
  constructor(definition: ControllerDefinition, runtime: ControllerRuntime) {
    const { name, options, watches } = definition;
    this.name = name;
    this.maxConcurrentReconciles = runtime.maxConcurrentReconciles ?? options.maxConcurrentReconciles ?? 8;
    if (!Number.isInteger(this.maxConcurrentReconciles) || this.maxConcurrentReconciles < 1) {
      throw new RangeError(`controller ${name} cannot reconcile ${this.maxConcurrentReconciles} objects at once`);
    }
    this.#definition = definition;
    this.#runtime = runtime;
    this.#client = limitTo(runtime.client, accessOf(definition), `controller ${name}`);
    this.#log = runtime.log.child({ controller: name });
    this.#scope = { cache: runtime.cache.reader, events: runtime.events, log: this.#log };
    const { base = "5ms", max = "1000s" } = options.backoff ?? {};
    this.#queue = new Workqueue({
      rateLimiter: exponentialBackoff({ baseMs: milliseconds(base), maxMs: milliseconds(max) }),
      ...(runtime.observer !== undefined && { observer: runtime.observer }),
    });
    runtime.observer?.made?.(this);
    for (const watch of watches) {
      subscribe(runtime.cache, watch, {
        add: (item, priority) => this.#queue.add(item, priority),
        replaced: (item) => this.#forget(item),
        lost: (err, { type }, key) =>
          this.#log.error({ err, kind: type.kind, key }, "a predicate or event handler threw: this event is lost"),
      });
    }
  }

  get waiting(): number {
    return this.#queue.size;
  }

  underWayMs(): readonly number[] {
    const nowMs = performance.now();
    return Array.from(this.#underWay.values(), (startedMs) => nowMs - startedMs);
  }

  /** The keys whose reconcile has been under way for longer than this. */
  stuck(ms: number): readonly string[] {
    const sinceMs = performance.now() - ms;
    return [...this.#underWay].filter(([, startedMs]) => startedMs < sinceMs).map(([item]) => item);
  }

  /**
   * Waits until the kinds it reads have synced, then reconciles until `signal` aborts: then takes no
   * more keys, and resolves once the reconciles under way have ended. `hurry` aborts those too.
   */
  async run(signal: AbortSignal, hurry: AbortSignal): Promise<void> {
    const close = () => this.#queue.close();
    signal.addEventListener("abort", close, { once: true });
    try {
      await this.#synced(signal);
      const workers = Array.from({ length: this.maxConcurrentReconciles }, () => this.#work(signal, hurry));
      await Promise.all(workers);
    } finally {
      signal.removeEventListener("abort", close);
      close();
    }
  }

  async #synced(signal: AbortSignal): Promise<void> {
    const types = this.#definition.watches.map(({ type }) => type);
    try {
      await this.#runtime.cache.whenSynced(types, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #work(signal: AbortSignal, hurry: AbortSignal): Promise<void> {
    for (let item = await this.#queue.take(signal); item !== undefined; item = await this.#queue.take(signal)) {
      const startedMs = performance.now();
      this.#underWay.set(item, startedMs);
      const outcome = await this.#turn(item, hurry);
      this.#underWay.delete(item);
      this.#queue.done(item);
      if (outcome !== undefined) this.#runtime.observer?.ended?.(outcome, performance.now() - startedMs);
    }
  }

  async #turn(item: string, hurry: AbortSignal): Promise<Outcome | undefined> {
    const object = this.#find(item);
    if (object === undefined) {
      this.#forget(item);
      return "success";
    }
    const { reconcileTimeout } = this.#definition.options;
    if (reconcileTimeout === undefined) return this.#reconcile(item, object, { signal: hurry, hurry });
    return withDeadline(milliseconds(reconcileTimeout), hurry, (signal) =>
      this.#reconcile(item, object, { signal, hurry }),
    );
  }

  #find(item: string): KubeObject | undefined {
    try {
      return this.#runtime.cache.reader.get(this.#definition.for, parseKey(item));
    } catch (err) {
      this.#log.error({ err, key: item }, "an event handler found an object that cannot be looked up");
      return undefined;
    }
  }

  async #reconcile(
    item: string,
    object: KubeObject,
    { signal, hurry }: { readonly signal: AbortSignal; readonly hurry: AbortSignal },
  ): Promise<Outcome | undefined> {
    const run = new ReconcileRun(this.#scope, object, { client: bindSignal(this.#client, signal), signal });
    const ending = await this.#endingOf(object, run);
    const cutShort = hurry.aborted && ending.type !== "done" && ending.type !== "requeueAfter";
    return cutShort ? undefined : this.#settle(item, ending, run);
  }

  async #endingOf(object: KubeObject, run: ReconcileRun): Promise<Result | Failure> {
    try {
      requireSight(this.#scope.cache, this.#definition.watches, object);
      return await this.#definition.reconcile(object, run);
    } catch (thrown) {
      return failureOf(thrown, this.#definition.for, object);
    }
  }

  /** What follows from the way in which a reconcile ended. */
  #settle(item: string, ending: Result | Failure, run: ReconcileRun): Outcome {
    const wasUnavailable = this.#unavailable;
    this.#unavailable = ending.type === "unavailable";

    switch (ending.type) {
      case "done":
        this.#forget(item);
        return "success";
      case "requeueAfter":
        this.#forget(item);
        this.#queue.addAfter(item, ending.delayMs);
        return "requeue_after";
      case "conflict":
        this.#queue.addRateLimited(item);
        run.log.debug({ err: ending.error }, "somebody else wrote first, looking again");
        return "conflict";
      case "namespaceTerminating":
        this.#forget(item);
        run.log.debug({ err: ending.error }, "the namespace is being deleted, leaving the object to it");
        return "success";
      case "terminal":
        this.#forget(item);
        run.log.error({ err: ending.error }, "reconcile failed, and would again: not retried until something changes");
        return "terminal";
      case "unavailable": {
        const retryInMs = this.#queue.addRateLimited(item, this.#outage);
        // The first says it for all.
        run.log[wasUnavailable ? "debug" : "warn"]({ err: ending.error, retryInMs }, "the API server cannot serve");
        return "error";
      }
      case "failed": {
        const rule = missingRule(ending.error);
        const retryInMs = this.#queue.addRateLimited(item, rule === undefined ? undefined : this.#missingRule);
        if (rule !== undefined) this.#runtime.observer?.missedRule?.(rule);
        const fields = { err: ending.error, retryInMs, ...(rule !== undefined && { missingRule: rule }) };
        run.log.error(fields, rule === undefined ? "reconcile failed" : `reconcile failed: ${rule}`);
        return "error";
      }
    }
  }

  #forget(item: string): void {
    this.#queue.forget(item);
    this.#outage.forget(item);
    this.#missingRule.forget(item);
  }
}

/** The inverse of `formatKey`; neither a namespace nor a name holds a slash. */
function parseKey(item: string): ObjectKey {
  const slash = item.indexOf("/");
  return slash === -1 ? { name: item } : { namespace: item.slice(0, slash), name: item.slice(slash + 1) };
}
