import { keyOf, Namespace } from "@trimtab/apimachinery";
import {
  changed,
  controllerFor,
  done,
  enqueueRequests,
  type Reconcile,
  type ReconcileContext,
  type Result,
  requeueAfter,
  specChanged,
} from "@trimtab/controller";
import { withFinalizer } from "@trimtab/finalizer";
import { reportStatus } from "@trimtab/status";
import { MultiSecret } from "./api/v1alpha1/multisecret.ts";
import { carryOut, type Outcome } from "./carry-out.ts";
import { deleteCopies } from "./cleanup.ts";
import { Copy, copySource, ownerOf } from "./copy/copy.ts";
import { type DesiredCopy, desiredCopy } from "./copy/desired-copy.ts";
import { inParallel } from "./in-parallel.ts";
import { notPermitted } from "./not-permitted.ts";
import { type Place, plan } from "./plan.ts";
import { isWithinReach } from "./reach.ts";
import { invalidityOf } from "./refusal.ts";
import { inNamespaces, statusOf, type Tally } from "./synchrony.ts";
import { leanNamespace, selects } from "./targets.ts";

const finalizer = "multisecrets.multi.ddnw.ml/finalizer";
/** How many namespaces are written to at once. */
const atOnce = 16;

type Context = ReconcileContext<MultiSecret | Namespace | Copy>;

const synchronize: Reconcile<MultiSecret, MultiSecret | Namespace | Copy> = async (multiSecret, context) => {
  const desired = desiredCopy(multiSecret);
  const places = placesOf(multiSecret, desired, context.cache);
  const steps = plan(multiSecret, desired, places);
  const work = { client: context.client, multiSecret, desired };
  const closed = notPermitted(multiSecret, context.cache);
  const wanted = places.filter((place) => place.wanted).length + closed.length;
  const due = steps.filter(({ type }) => type !== "delete").length + closed.length;

  let tally: Tally;
  try {
    const outcomes = await inParallel(steps, atOnce, (step) => carryOut(step, work));
    tally = { wanted, due, outcomes: [...outcomes, ...closed] };
  } catch (error) {
    const invalidity = error instanceof Error ? invalidityOf(error) : undefined;
    if (invalidity === undefined) throw error;
    tally = { wanted, due, outcomes: [], invalidity };
  }
  announce(desired, tally.outcomes, context);
  await report(multiSecret, tally, context);
  return closed.length > 0 ? requeueAfter("5s") : next(tally.outcomes);
};

function placesOf(multiSecret: MultiSecret, { name }: DesiredCopy, cache: Context["cache"]): readonly Place[] {
  return cache
    .list(Namespace)
    .filter(({ metadata }) => isWithinReach(cache, Copy, metadata.name))
    .map((namespace) => ({
      namespace: namespace.metadata.name,
      wanted: selects(multiSecret, namespace),
      copy: cache.get(Copy, { namespace: namespace.metadata.name, name }),
    }));
}

/** One Event of a kind, for however many namespaces. */
function announce({ name }: DesiredCopy, outcomes: readonly Outcome[], { recorder }: Context): void {
  for (const [type, reason] of [
    ["created", "Created"],
    ["updated", "Updated"],
    ["deleted", "Deleted"],
  ] as const) {
    const namespaces = outcomes.filter((outcome) => outcome.type === type).map(({ namespace }) => namespace);
    if (namespaces.length > 0) recorder.normal(reason, `${type} Secret ${name} ${inNamespaces(namespaces)}`);
  }
}

async function report(multiSecret: MultiSecret, tally: Tally, context: Context): Promise<void> {
  const status = statusOf(multiSecret, tally, new Date());
  await reportStatus(context, MultiSecret, multiSecret, status);

  const before = multiSecret.status?.conditions?.find(({ type }) => type === "Ready");
  const isComplaint = tally.invalidity !== undefined || tally.outcomes.some(({ type }) => type === "refused");
  for (const { reason, message } of isComplaint ? status.conditions : []) {
    if (message !== before?.message) context.recorder.warning(reason, message);
  }
}

function next(outcomes: readonly Outcome[]): Result {
  if (outcomes.some(({ type }) => type === "outdated")) return requeueAfter("100ms");
  // A foreign Secret goes, a quota is raised, a rule is granted without an event.
  return outcomes.some(({ type }) => type === "refused") ? requeueAfter("30s") : done();
}

const isSelectedOtherwise = changed(({ metadata, status }: Namespace) => [
  metadata.labels,
  metadata.deletionTimestamp,
  status?.phase,
]);

export const multiSecretController = controllerFor(MultiSecret, {
  predicate: specChanged,
  calls: ["applyStatus", "addFinalizer", "removeFinalizer"],
})
  .watches(
    Namespace,
    enqueueRequests<Namespace, MultiSecret | Namespace>((namespace, cache) =>
      cache
        .list(MultiSecret)
        .filter((multiSecret) => selects(multiSecret, namespace))
        .map(keyOf),
    ),
    { transform: leanNamespace, predicate: isSelectedOtherwise },
  )
  .watches(
    Copy,
    enqueueRequests<Copy, MultiSecret | Namespace | Copy>((copy, cache) => {
      const owner = ownerOf(copy);
      return owner !== undefined && isWithinReach(cache, MultiSecret, owner.namespace) ? [owner] : [];
    }),
    { ...copySource, calls: ["get", "list", "create", "update", "delete"] },
  )
  .complete(withFinalizer(MultiSecret, finalizer, { apply: synchronize, cleanup: deleteCopies }));
