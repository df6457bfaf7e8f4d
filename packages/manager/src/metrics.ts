import type { AnsweredRequest } from "@trimtab/client";
import type { ControllerObserver } from "@trimtab/controller";
import { controllerMetrics } from "@trimtab/controller/metrics";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** The metrics of a process, by the names of client-go, controller-runtime and prom-client. */
export interface Metrics {
  readonly registry: Registry;
  readonly onRequest: (request: AnsweredRequest) => void;
  readonly observerOf: (controller: string) => ControllerObserver;
  readonly reportLeading: (lease: string, leading: () => boolean) => void;
}

/** As in component-base's `metrics/prometheus/restclient`. */
const requestBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "rest_client_requests_total",
    help: "Requests to the API server, by status code, method and host",
    labelNames: ["code", "method", "host"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "rest_client_request_duration_seconds",
    help: "How long the API server took to answer, by method and host",
    labelNames: ["verb", "host"],
    buckets: requestBuckets,
    registers: [registry],
  });
  return {
    registry,
    onRequest: ({ code, method, host, durationMs }) => {
      requests.inc({ code, method, host });
      durations.observe({ verb: method, host }, durationMs / 1_000);
    },
    observerOf: controllerMetrics(registry),
    reportLeading: (lease, leading) => {
      new Gauge({
        name: "leader_election_master_status",
        help: "Whether this process leads: 1 if it does",
        labelNames: ["name"],
        registers: [registry],
        collect() {
          this.set({ name: lease }, leading() ? 1 : 0);
        },
      });
    },
  };
}
