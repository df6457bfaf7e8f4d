import { keyOf, Namespace, type ObjectMeta, Secret } from "@trimtab/apimachinery";
import { type Client, isApiError, type ListOptions } from "@trimtab/client";
import { done, type Reconcile, type ReconcileContext, requeueAfter } from "@trimtab/controller";
import { reportStatus } from "@trimtab/status";
import { MultiSecret } from "./api/v1alpha1/multisecret.ts";
import type { Outcome } from "./carry-out.ts";
import { Copy, ownerUidLabel } from "./copy/copy.ts";
import { copyName } from "./copy/copy-name.ts";
import { inParallel } from "./in-parallel.ts";
import { isWithinReach } from "./reach.ts";
import { refusalOf } from "./refusal.ts";
import { complaintsOf, inNamespaces } from "./synchrony.ts";

type Context = ReconcileContext<MultiSecret | Namespace | Copy>;

/** Deletes every copy that the API server has, whether or not memory knows of it, and nothing else. */
export const deleteCopies: Reconcile<MultiSecret, MultiSecret | Namespace | Copy> = async (multiSecret, context) => {
  const { copies, refused } = await copiesOf(multiSecret, context);
  const outcomes = [...(await inParallel(copies, 16, (copy) => deleteCopy(copy, context.client))), ...refused];

  const deleted = outcomes.filter(({ type }) => type === "deleted").map(({ namespace }) => namespace);
  const name = copyName(keyOf(multiSecret));
  if (deleted.length > 0) context.recorder.normal("Deleted", `deleted Secret ${name} ${inNamespaces(deleted)}`);
  const [refusal] = complaintsOf(outcomes);
  if (refusal === undefined) return done();

  const created = copies.length - deleted.length;
  const condition = { type: "Ready", status: "False", ...refusal } as const;
  await reportStatus(context, MultiSecret, multiSecret, { wanted: 0, created, conditions: [condition] });
  context.recorder.warning(refusal.reason, refusal.message);
  return requeueAfter("30s");
};

async function deleteCopy({ name, namespace = "", uid }: ObjectMeta, client: Client): Promise<Outcome> {
  try {
    await client.delete(Secret, { namespace, name }, { uid });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal !== undefined) return { type: "refused", namespace, refusal };
    // It is gone, and perhaps another has its name.
    if (!isApiError(error, "NotFound", "Conflict")) throw error;
  }
  return { type: "deleted", namespace };
}

/** What there is, and the namespaces that may hold one and are closed by now. */
interface Found {
  readonly copies: readonly ObjectMeta[];
  readonly refused: readonly Outcome[];
}

async function copiesOf(multiSecret: MultiSecret, { cache, client }: Context): Promise<Found> {
  const labelSelector = { matchLabels: { [ownerUidLabel]: multiSecret.metadata.uid } };
  const found = await Promise.all(
    scopesOf(cache).map(async ({ namespace }): Promise<Found> => {
      try {
        const scope = namespace === undefined ? {} : { namespace };
        return { copies: await listAll(client, { ...scope, labelSelector }), refused: [] };
      } catch (error) {
        const refusal = refusalOf(error);
        if (namespace === undefined || refusal === undefined) throw error;
        return { copies: [], refused: [{ type: "refused", namespace, refusal }] };
      }
    }),
  );
  const name = copyName(keyOf(multiSecret));
  return {
    // One of another name that bears the label is what somebody else has made of a copy.
    copies: found.flatMap(({ copies }) => copies).filter((metadata) => metadata.name === name),
    refused: found.flatMap(({ refused }) => refused),
  };
}

/** A namespace that has never been seen is left out: should a copy be found there one day, it is an orphan, and goes. */
function scopesOf(cache: Context["cache"]): readonly { readonly namespace?: string }[] {
  if (isWithinReach(cache, Copy)) return [{}];
  const names = cache.list(Namespace).map(({ metadata }) => metadata.name);
  return names.filter((name) => isWithinReach(cache, Copy, name)).map((namespace) => ({ namespace }));
}

/** Page by page, and without the bytes: they need not all be in memory. */
async function listAll(client: Client, options: ListOptions): Promise<readonly ObjectMeta[]> {
  const found: ObjectMeta[] = [];
  let next: string | undefined;
  do {
    const page = await client.list(Secret, { ...options, limit: 500, ...(next !== undefined && { continue: next }) });
    found.push(...page.items.map(({ metadata }) => metadata));
    next = page.continue;
  } while (next !== undefined);
  return found;
}
