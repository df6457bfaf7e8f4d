import { isDeleting, Pod } from "@trimtab/apimachinery";
import {
  changed,
  controllerFor,
  done,
  type Reconcile,
  type ReconcileContext,
  type Result,
  requeueAfter,
  specChanged,
} from "@trimtab/controller";
import { reportStatus } from "@trimtab/status";
import { announce } from "./announcement.ts";
import { PodSet } from "./api/v1alpha1/podset.ts";
import { observe } from "./observe.ts";
import { type Plan, plan } from "./plan.ts";
import { isReady, leanPod } from "./pod-state.ts";
import { type Creation, createPod, deletePods } from "./pod-writes.ts";
import { type Findings, statusOf } from "./readiness.ts";
import { refusalOf } from "./refusal.ts";
import { anyPodSet } from "./resources/labels.ts";
import { type Outcome, slowStart } from "./slow-start.ts";

type Context = ReconcileContext<PodSet | Pod>;

const reconcile: Reconcile<PodSet, PodSet | Pod> = async (podset, context) => {
  // Its pods go with it, and new ones would hold its deletion back.
  if (isDeleting(podset)) return done();

  const { client } = context;
  const pods = await observe(podset, context);
  const planned = plan(podset, pods, new Date());
  const named = await recordNames(podset, pods.own, planned, context);
  const deleted = await deletePods(client, planned.remove);
  const created = await slowStart(planned.create.map((pod) => () => createPod(client, podset, pod)));
  return conclude(named, { planned, deleted, created }, context);
};

/** Puts the names of new pods on record before they are asked for. */
async function recordNames(
  podset: PodSet,
  own: readonly Pod[],
  { create, replacements }: Plan,
  context: Context,
): Promise<PodSet> {
  const recorded = podset.status?.replacements ?? [];
  const known = create.every(({ place }) => replacements[place] === (recorded[place] ?? 0));
  return known ? podset : reportStatus(context, PodSet, podset, statusOf(podset, own, { replacements }));
}

interface Doings {
  readonly planned: Plan;
  readonly deleted: Outcome<Pod>;
  readonly created: Outcome<Creation>;
}

/** Says what came of a run. */
async function conclude(podset: PodSet, { planned, deleted, created }: Doings, context: Context): Promise<Result> {
  const fresh = created.results.flatMap((creation) => (creation.type === "created" ? [creation.pod] : []));
  announce({ created: fresh, deleted: deleted.results }, context.recorder);

  const errors = [...deleted.errors, ...created.errors];
  const uncertain = errors.find((error) => refusalOf(error) === undefined);
  // Whether there is a pod is not known: nothing is said of it, and its name stays as it is on record.
  if (uncertain !== undefined) throw failure(errors, uncertain);

  const taken = new Set(created.results.flatMap((creation) => (creation.type === "taken" ? [creation.place] : [])));
  const replacements = planned.replacements.map((count, place) => count + Number(taken.has(place)));
  await publish(podset, created.results, { replacements, refusal: refusalOf(errors[0]) }, context);

  if (errors.length > 0) throw failure(errors, errors[0]);
  // What was not made now is something that memory does not know of: not yet, or not under these labels.
  if (created.results.some(({ type }) => type !== "created")) return requeueAfter("100ms");
  return planned.againInMs === undefined ? done() : requeueAfter(`${planned.againInMs}ms`);
}

async function publish(podset: PodSet, creations: readonly Creation[], findings: Findings, context: Context) {
  const held = context.cache.list(Pod, { controller: podset.metadata.uid });
  const names = new Set(held.map(({ metadata }) => metadata.name));
  const unseen = creations
    .flatMap((creation) => (creation.type === "taken" ? [] : [creation.pod]))
    .filter(({ metadata }) => !names.has(metadata.name));
  const status = statusOf(podset, [...held, ...unseen], findings);
  await reportStatus(context, PodSet, podset, status);

  const before = podset.status?.conditions?.find(({ type }) => type === "Ready");
  const [ready] = status.conditions;
  if (ready === undefined || ready.reason === before?.reason || ready.reason === "PodsNotReady") return;
  if (ready.status === "True") context.recorder.normal(ready.reason, ready.message);
  else context.recorder.warning(ready.reason, ready.message);
}

/** @param decisive goes by which the run is tried again */
function failure(errors: readonly unknown[], decisive: unknown): AggregateError {
  return new AggregateError(errors, "not all pods could be made or deleted", { cause: decisive });
}

/** What counts of a pod: whose it is, whether it lives, whether it is ready. */
const lifeChanged = changed((pod: Pod) => [
  pod.metadata.ownerReferences,
  pod.metadata.labels,
  pod.metadata.deletionTimestamp,
  pod.status?.phase,
  isReady(pod),
]);

export const podSetController = controllerFor(PodSet, { predicate: specChanged })
  .owns(Pod, {
    labelSelector: anyPodSet,
    transform: leanPod,
    predicate: lifeChanged,
    calls: ["get", "create", "mergePatch", "delete"],
  })
  .complete(reconcile);
