import { describe, expect, it } from "vitest";
import { podSetWith, podWith } from "./podset.fixture.ts";
import { statusOf } from "./readiness.ts";

const replacements = [0, 0];

describe("statusOf", () => {
  it("names the pods in alphabetical order, whatever the order in which they were found", () => {
    const pods = ["c", "a", "b"].map((name) => podWith(name));
    expect(statusOf(podSetWith(3), pods, { replacements }).podNames).toEqual(["a", "b", "c"]);
    expect(statusOf(podSetWith(3), pods.toReversed(), { replacements }).podNames).toEqual(["a", "b", "c"]);
  });

  it("is ready once as many pods are as were asked for", () => {
    expect(statusOf(podSetWith(2), [podWith("a"), podWith("b")], { replacements })).toEqual({
      podNames: ["a", "b"],
      replicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      selector: "app=sample,version=v0.1",
      conditions: [{ type: "Ready", status: "True", reason: "PodsReady", message: "2 of 2 pods are ready" }],
    });
  });

  it("calls no pod available that is pending", () => {
    const status = statusOf(podSetWith(2), [podWith("a"), podWith("b", { phase: "Pending" })], { replacements });
    expect(status).toMatchObject({ podNames: ["a", "b"], replicas: 2, readyReplicas: 1, availableReplicas: 1 });
    expect(status.conditions).toMatchObject([{ type: "Ready", status: "False", reason: "PodsNotReady" }]);
  });

  it("counts neither pods that have ended nor those on their way out", () => {
    const deletionTimestamp = "2026-01-01T00:59:00Z";
    const pods = [podWith("a", { phase: "Failed" }), podWith("b", { metadata: { deletionTimestamp } }), podWith("c")];
    expect(statusOf(podSetWith(3), pods, { replacements })).toMatchObject({ podNames: ["c"], replicas: 1 });
  });

  it("is not ready while there is a pod too many", () => {
    const pods = ["a", "b"].map((name) => podWith(name));
    expect(statusOf(podSetWith(1), pods, { replacements }).conditions).toMatchObject([{ status: "False" }]);
  });

  it("says what refuses more pods", () => {
    const refusal = { reason: "QuotaExceeded", message: "no room" } as const;
    expect(statusOf(podSetWith(2), [podWith("a")], { replacements, refusal }).conditions).toEqual([
      { type: "Ready", status: "False", reason: "QuotaExceeded", message: "1 of 2 pods are ready: no room" },
      { type: "ReplicaFailure", status: "True", reason: "QuotaExceeded", message: "no room" },
    ]);
  });

  it("keeps how often pods were replaced, once one was", () => {
    expect(statusOf(podSetWith(2), [], { replacements: [0, 2] }).replacements).toEqual([0, 2]);
  });
});
