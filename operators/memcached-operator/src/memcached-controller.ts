import { Deployment, formatSelector, isControlledBy, isDeleting, keyOf, Pod, ReplicaSet } from "@trimtab/apimachinery";
import {
  changed,
  controllerFor,
  done,
  enqueueRequests,
  missingRule,
  type Reconcile,
  type ReconcileContext,
  type Result,
  requeueAfter,
} from "@trimtab/controller";
import { reportStatus } from "@trimtab/status";
import { Memcached } from "./api/v1alpha1/memcached.ts";
import { type Availability, availability, unavailability } from "./availability.ts";
import { leanPod, leanReplicaSet, nodesOf } from "./nodes.ts";
import { refusalOf } from "./refusal.ts";
import { deploymentFor } from "./resources/deployment.ts";
import { anyInstance, instanceOf, labelsOf } from "./resources/selector.ts";

type Read = Memcached | Deployment | ReplicaSet | Pod;
type Context = ReconcileContext<Read>;

const reconcile: Reconcile<Memcached, Read> = async (memcached, context) => {
  // Its Deployment goes with it, and a new one would hold its deletion back.
  if (isDeleting(memcached)) return done();

  const existing = context.cache.get(Deployment, keyOf(memcached));
  let deployment: Deployment;
  try {
    deployment = await context.client.apply(Deployment, deploymentFor(memcached));
  } catch (error) {
    return refused(error, { memcached, existing }, context);
  }
  announce(deployment, existing, context);
  const nodes = nodesOf(deployment, context.cache);
  await report(memcached, { deployment, nodes, conditions: availability(memcached, deployment, nodes) }, context);
  return done();
};

/** Says why, and looks again before long: a quota, a policy or a foreign object goes away without an event. */
async function refused(
  error: unknown,
  { memcached, existing }: { memcached: Memcached; existing: Deployment | undefined },
  context: Context,
): Promise<Result> {
  const refusal = refusalOf(error);
  if (refusal === undefined) throw error;
  const deployment = existing && isControlledBy(existing, memcached) ? existing : undefined;
  const nodes = nodesOf(deployment, context.cache);
  await report(memcached, { deployment, nodes, conditions: unavailability(refusal, deployment) }, context);
  if (missingRule(error) !== undefined) throw error;
  return requeueAfter("10s");
}

interface Observed {
  readonly deployment: Deployment | undefined;
  readonly nodes: readonly string[];
  readonly conditions: Availability;
}

async function report(memcached: Memcached, { deployment, nodes, conditions }: Observed, context: Context) {
  const [ready] = conditions;
  const before = memcached.status?.conditions?.find(({ type }) => type === "Ready");
  await reportStatus(context, Memcached, memcached, {
    nodes,
    replicas: nodes.length,
    readyReplicas: deployment?.status?.readyReplicas ?? 0,
    selector: formatSelector({ matchLabels: labelsOf(memcached) }),
    conditions,
  });
  if (ready.reason === before?.reason || ready.reason === "RollingOut") return;
  if (ready.status === "True") context.recorder.normal(ready.reason, ready.message);
  else context.recorder.warning(ready.reason, ready.message);
}

function announce({ metadata, spec }: Deployment, existing: Deployment | undefined, { recorder }: Context): void {
  if (existing === undefined) recorder.normal("Created", `created Deployment ${metadata.name}`);
  else if (spec?.replicas !== existing.spec?.replicas)
    recorder.normal("Scaled", `scaled Deployment ${metadata.name} to ${spec?.replicas}`);
  else if (metadata.generation !== existing.metadata.generation)
    recorder.normal("Updated", `updated Deployment ${metadata.name}`);
}

/** Of a Pod or a ReplicaSet, nothing counts but whether it is there, whose it is and whether it lives. */
const lifeChanged = changed(({ metadata, status }: Pod) => [
  metadata.ownerReferences,
  metadata.deletionTimestamp,
  status?.phase,
]);

export const memcachedController = controllerFor(Memcached)
  .owns(Deployment, { labelSelector: anyInstance })
  .watches(ReplicaSet, enqueueRequests(instanceOf), {
    labelSelector: anyInstance,
    transform: leanReplicaSet,
    predicate: changed(({ metadata }) => metadata.ownerReferences),
  })
  .watches(Pod, enqueueRequests(instanceOf), { labelSelector: anyInstance, transform: leanPod, predicate: lifeChanged })
  .complete(reconcile);
