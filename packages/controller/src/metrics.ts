import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { type ControllerObserver, type ControllerState, type Outcome, outcomes } from "./controller-observer.ts";

/** As in controller-runtime's `pkg/internal/controller/metrics`. */
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
/** As in client-go's workqueue: twelve powers of ten, from 10 ns. */
const queueBuckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1_000];

/** controller-runtime counts a terminal error as an error; a conflict, which is none, it does not know. */
const resultOf: Readonly<Record<Outcome, string>> = {
  success: "success",
  requeue_after: "requeue_after",
  conflict: "conflict",
  error: "error",
  terminal: "error",
};

/**
 * The metrics of the controllers of a process, by the names and labels of controller-runtime and client-go, so that
 * existing dashboards and alerts work. To be made once for a registry.
 *
 * @returns makes the observer of the controller of that name, and begins every series of it at 0
 */
export function controllerMetrics(registry: Registry): (controller: string) => ControllerObserver {
  const states: ControllerState[] = [];
  const reconciles = new ReconcileMetrics(registry, states);
  const queues = new WorkqueueMetrics(registry, states);

  return (controller) => {
    reconciles.begin(controller);
    queues.begin(controller);
    const label = { name: controller };
    return {
      made: (state) => states.push(state),
      added: () => queues.adds.inc(label),
      retried: () => queues.retries.inc(label),
      taken: (waitedMs) => queues.waited.observe(label, waitedMs / 1_000),
      ended(outcome, workedMs) {
        queues.worked.observe(label, workedMs / 1_000);
        reconciles.ended(controller, outcome, workedMs / 1_000);
      },
    };
  };
}

class ReconcileMetrics {
  readonly #total: Counter<"controller" | "result">;
  readonly #errors: Counter<"controller">;
  readonly #terminalErrors: Counter<"controller">;
  readonly #seconds: Histogram<"controller">;

  constructor(registry: Registry, states: readonly ControllerState[]) {
    const by = { labelNames: ["controller"] as const, registers: [registry] };
    this.#total = new Counter({
      name: "controller_runtime_reconcile_total",
      help: "Reconciles that ended, by controller and result",
      labelNames: ["controller", "result"],
      registers: [registry],
    });
    this.#errors = new Counter({
      ...by,
      name: "controller_runtime_reconcile_errors_total",
      help: "Reconciles that ended in an error, by controller",
    });
    this.#terminalErrors = new Counter({
      ...by,
      name: "controller_runtime_terminal_reconcile_errors_total",
      help: "Reconciles that ended in an error that is not retried, by controller",
    });
    this.#seconds = new Histogram({
      ...by,
      name: "controller_runtime_reconcile_time_seconds",
      help: "How long reconciles took, by controller",
      buckets: reconcileBuckets,
    });
    new Gauge({
      ...by,
      name: "controller_runtime_max_concurrent_reconciles",
      help: "How many reconciles may be under way at once, by controller",
      collect() {
        for (const { name, maxConcurrentReconciles } of states) this.set({ controller: name }, maxConcurrentReconciles);
      },
    });
    new Gauge({
      ...by,
      name: "controller_runtime_active_workers",
      help: "How many reconciles are under way, by controller",
      collect() {
        for (const state of states) this.set({ controller: state.name }, state.underWayMs().length);
      },
    });
  }

  begin(controller: string): void {
    for (const outcome of outcomes) this.#total.inc({ controller, result: resultOf[outcome] }, 0);
    this.#errors.inc({ controller }, 0);
    this.#terminalErrors.inc({ controller }, 0);
    this.#seconds.zero({ controller });
  }

  ended(controller: string, outcome: Outcome, seconds: number): void {
    this.#total.inc({ controller, result: resultOf[outcome] });
    this.#seconds.observe({ controller }, seconds);
    if (outcome === "error" || outcome === "terminal") this.#errors.inc({ controller });
    if (outcome === "terminal") this.#terminalErrors.inc({ controller });
  }
}

class WorkqueueMetrics {
  readonly adds: Counter<"name">;
  readonly retries: Counter<"name">;
  readonly waited: Histogram<"name">;
  readonly worked: Histogram<"name">;

  constructor(registry: Registry, states: readonly ControllerState[]) {
    const by = { labelNames: ["name"] as const, registers: [registry] };
    this.adds = new Counter({ ...by, name: "workqueue_adds_total", help: "Keys that got in line, by queue" });
    this.retries = new Counter({ ...by, name: "workqueue_retries_total", help: "Retries of keys, by queue" });
    this.waited = new Histogram({
      ...by,
      name: "workqueue_queue_duration_seconds",
      help: "How long keys were in line before they were taken, by queue",
      buckets: queueBuckets,
    });
    this.worked = new Histogram({
      ...by,
      name: "workqueue_work_duration_seconds",
      help: "How long keys were worked on, by queue",
      buckets: queueBuckets,
    });
    const gauge = (name: string, help: string, measure: (state: ControllerState) => number) =>
      new Gauge({
        ...by,
        name,
        help,
        collect() {
          for (const state of states) this.set({ name: state.name }, measure(state));
        },
      });
    gauge("workqueue_depth", "Keys in line, by queue", ({ waiting }) => waiting);
    gauge(
      "workqueue_unfinished_work_seconds",
      "How long all keys that are worked on have been so, together, by queue",
      (state) => state.underWayMs().reduce((sum, ms) => sum + ms, 0) / 1_000,
    );
    gauge(
      "workqueue_longest_running_processor_seconds",
      "How long the key that has been worked on for longest has been so, by queue",
      (state) => Math.max(0, ...state.underWayMs()) / 1_000,
    );
  }

  begin(name: string): void {
    this.adds.inc({ name }, 0);
    this.retries.inc({ name }, 0);
    this.waited.zero({ name });
    this.worked.zero({ name });
  }
}
