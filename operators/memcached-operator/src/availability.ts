import type { Deployment } from "@trimtab/apimachinery";
import type { ConditionReport } from "@trimtab/status";
import type { Memcached } from "./api/v1alpha1/memcached.ts";
import type { Refusal } from "./refusal.ts";

/** All that is known of a Memcached's state. */
export type Availability = readonly [
  ConditionReport<"Ready">,
  ConditionReport<"Available">,
  ConditionReport<"Progressing">,
];

/** The conditions that a Memcached's Deployment and nodes amount to. */
export function availability(memcached: Memcached, deployment: Deployment, nodes: readonly string[]): Availability {
  const progressing = progressOf(memcached, deployment, nodes);
  const ready = progressing.reason === "RolledOut" ? "True" : "False";
  return [{ ...progressing, type: "Ready", status: ready }, availableBy(deployment), progressing];
}

/** The same where the API server refuses the Deployment; one that is already there may well go on serving. */
export function unavailability(refusal: Refusal, deployment: Deployment | undefined): Availability {
  return [
    { type: "Ready", status: "False", ...refusal },
    deployment === undefined ? { type: "Available", status: "False", ...refusal } : availableBy(deployment),
    { type: "Progressing", status: "False", ...refusal },
  ];
}

function progressOf(
  { spec: { size } }: Memcached,
  deployment: Deployment,
  nodes: readonly string[],
): ConditionReport<"Progressing"> {
  const { observedGeneration = 0, replicas = 0, updatedReplicas = 0, readyReplicas = 0 } = deployment.status ?? {};
  const seen = observedGeneration >= (deployment.metadata.generation ?? 0);
  const message = `${readyReplicas} of ${size} Pods are ready`;

  const stuck = seen ? stuckBecause(deployment) : undefined;
  if (stuck !== undefined) {
    return { type: "Progressing", status: "False", reason: stuck.reason, message: `${message}: ${stuck.message}` };
  }
  return seen && [replicas, updatedReplicas, readyReplicas, nodes.length].every((count) => count === size)
    ? { type: "Progressing", status: "False", reason: "RolledOut", message }
    : { type: "Progressing", status: "True", reason: "RollingOut", message };
}

/** Why a Deployment gets no further by itself, and what a person can do about it. */
function stuckBecause(deployment: Deployment): { readonly reason: string; readonly message: string } | undefined {
  const failure = conditionOf(deployment, "ReplicaFailure");
  if (failure?.status === "True") {
    const advice = "make room in what it names, or lower spec.size";
    return { reason: failure.reason ?? "ReplicaFailure", message: `${failure.message}: ${advice}` };
  }
  const progressing = conditionOf(deployment, "Progressing");
  if (progressing?.status === "False") {
    const advice = `look at the Pods of Deployment ${deployment.metadata.name}`;
    return { reason: progressing.reason ?? "Stuck", message: `no progress for too long: ${advice}` };
  }
  return undefined;
}

/** Whether enough Pods serve, as the Deployment's own controller judges. */
function availableBy(deployment: Deployment): ConditionReport<"Available"> {
  const { availableReplicas = 0 } = deployment.status ?? {};
  const message = `${availableReplicas} of ${deployment.spec?.replicas ?? 1} Pods are available`;
  return conditionOf(deployment, "Available")?.status === "True"
    ? { type: "Available", status: "True", reason: "MinimumReplicasAvailable", message }
    : { type: "Available", status: "False", reason: "MinimumReplicasUnavailable", message };
}

type DeploymentCondition = NonNullable<NonNullable<Deployment["status"]>["conditions"]>[number];

function conditionOf({ status }: Deployment, type: string): DeploymentCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}
