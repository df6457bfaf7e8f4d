import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import type { ControllerState } from "./controller-observer.ts";
import { controllerMetrics } from "./metrics.ts";

/** The samples as a scrape has them: `name{labels} value`, without the buckets. */
async function scrape(registry: Registry): Promise<readonly string[]> {
  const lines = (await registry.metrics()).split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#") && !line.includes("_bucket{"));
}

const state: ControllerState = {
  name: "memcached",
  waiting: 3,
  maxConcurrentReconciles: 8,
  underWayMs: () => [250, 1_500],
};

describe("controllerMetrics", () => {
  it("begins every series of a controller at 0, by the names of controller-runtime and client-go", async () => {
    const registry = new Registry();
    controllerMetrics(registry)("memcached");
    expect(await scrape(registry)).toEqual([
      'controller_runtime_reconcile_total{controller="memcached",result="success"} 0',
      'controller_runtime_reconcile_total{controller="memcached",result="requeue_after"} 0',
      'controller_runtime_reconcile_total{controller="memcached",result="conflict"} 0',
      'controller_runtime_reconcile_total{controller="memcached",result="error"} 0',
      'controller_runtime_reconcile_errors_total{controller="memcached"} 0',
      'controller_runtime_terminal_reconcile_errors_total{controller="memcached"} 0',
      'controller_runtime_reconcile_time_seconds_sum{controller="memcached"} 0',
      'controller_runtime_reconcile_time_seconds_count{controller="memcached"} 0',
      'workqueue_adds_total{name="memcached"} 0',
      'workqueue_retries_total{name="memcached"} 0',
      'workqueue_queue_duration_seconds_sum{name="memcached"} 0',
      'workqueue_queue_duration_seconds_count{name="memcached"} 0',
      'workqueue_work_duration_seconds_sum{name="memcached"} 0',
      'workqueue_work_duration_seconds_count{name="memcached"} 0',
    ]);
  });

  it("counts how reconciles end: a terminal error as an error too, a conflict as none", async () => {
    const registry = new Registry();
    const observer = controllerMetrics(registry)("memcached");
    observer.ended?.("success", 100);
    observer.ended?.("conflict", 100);
    observer.ended?.("error", 100);
    observer.ended?.("terminal", 100);
    expect(await scrape(registry)).toEqual(
      expect.arrayContaining([
        'controller_runtime_reconcile_total{controller="memcached",result="success"} 1',
        'controller_runtime_reconcile_total{controller="memcached",result="conflict"} 1',
        'controller_runtime_reconcile_total{controller="memcached",result="error"} 2',
        'controller_runtime_reconcile_errors_total{controller="memcached"} 2',
        'controller_runtime_terminal_reconcile_errors_total{controller="memcached"} 1',
        'controller_runtime_reconcile_time_seconds_count{controller="memcached"} 4',
        'controller_runtime_reconcile_time_seconds_sum{controller="memcached"} 0.4',
      ]),
    );
  });

  it("shows what each controller is at when it is scraped", async () => {
    const registry = new Registry();
    controllerMetrics(registry)("memcached").made?.(state);
    expect(await scrape(registry)).toEqual(
      expect.arrayContaining([
        'workqueue_depth{name="memcached"} 3',
        'workqueue_unfinished_work_seconds{name="memcached"} 1.75',
        'workqueue_longest_running_processor_seconds{name="memcached"} 1.5',
        'controller_runtime_active_workers{controller="memcached"} 2',
        'controller_runtime_max_concurrent_reconciles{controller="memcached"} 8',
      ]),
    );
  });
});
