import { describe, expect, it } from "vitest";
import { type Availability, availability, unavailability } from "./availability.ts";
import { deploymentWith, memcachedWith } from "./memcached.fixture.ts";

const serving = { type: "Available", status: "True" };
const rolledOut = {
  observedGeneration: 1,
  replicas: 2,
  updatedReplicas: 2,
  readyReplicas: 2,
  availableReplicas: 2,
  conditions: [serving],
};
const nodes = ["a", "b"];

function summary(conditions: Availability): Record<string, string> {
  return Object.fromEntries(conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]));
}

describe("availability", () => {
  it("is ready once every Pod is there, up to date, ready and known as a node", () => {
    const conditions = availability(memcachedWith(), deploymentWith(rolledOut), nodes);
    expect(summary(conditions)).toEqual({
      Ready: "True RolledOut",
      Available: "True MinimumReplicasAvailable",
      Progressing: "False RolledOut",
    });
    expect(conditions[0].message).toBe("2 of 2 Pods are ready");
  });

  it.each([
    ["the Deployment's status is of an older spec", { ...rolledOut, observedGeneration: 0 }, nodes],
    ["a Pod is not ready", { ...rolledOut, readyReplicas: 1 }, nodes],
    ["a Pod is still of the old template", { ...rolledOut, updatedReplicas: 1 }, nodes],
    ["an old Pod has yet to go", { ...rolledOut, replicas: 3 }, nodes],
    ["a node is not known yet", rolledOut, ["a"]],
    ["a node too many is known", rolledOut, ["a", "b", "c"]],
    ["nobody has looked at the Deployment", {}, []],
  ])("is not ready while %s", (_, status, known) => {
    const { Ready, Progressing } = summary(availability(memcachedWith(), deploymentWith(status), known));
    expect([Ready, Progressing]).toEqual(["False RollingOut", "True RollingOut"]);
  });

  it("is ready with no Pods where none are asked for", () => {
    const deployment = deploymentWith({ observedGeneration: 1, conditions: [serving] });
    const [ready] = availability(memcachedWith({ size: 0 }), deployment, []);
    expect(ready).toMatchObject({ status: "True", message: "0 of 0 Pods are ready" });
  });

  it("says what refuses more Pods, and what to do about it", () => {
    const failure = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "exceeded quota: pods" };
    const deployment = deploymentWith({ ...rolledOut, readyReplicas: 1, conditions: [serving, failure] });
    const conditions = availability(memcachedWith(), deployment, ["a"]);
    expect(summary(conditions)).toMatchObject({
      Ready: "False FailedCreate",
      Available: "True MinimumReplicasAvailable",
    });
    expect(conditions[0].message).toBe(
      "1 of 2 Pods are ready: exceeded quota: pods: make room in what it names, or lower spec.size",
    );
  });

  it("says when nothing has moved for too long", () => {
    const late = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" };
    const deployment = deploymentWith({ ...rolledOut, readyReplicas: 0, conditions: [late] });
    expect(summary(availability(memcachedWith(), deployment, nodes))).toEqual({
      Ready: "False ProgressDeadlineExceeded",
      Available: "False MinimumReplicasUnavailable",
      Progressing: "False ProgressDeadlineExceeded",
    });
  });
});

describe("unavailability", () => {
  const refusal = { reason: "Forbidden", message: "exceeded quota" } as const;

  it("is of one mind where there is no Deployment", () => {
    expect(summary(unavailability(refusal, undefined))).toEqual({
      Ready: "False Forbidden",
      Available: "False Forbidden",
      Progressing: "False Forbidden",
    });
  });

  it("leaves standing that a Deployment which is already there serves", () => {
    expect(summary(unavailability(refusal, deploymentWith(rolledOut)))).toMatchObject({
      Ready: "False Forbidden",
      Available: "True MinimumReplicasAvailable",
    });
  });
});
