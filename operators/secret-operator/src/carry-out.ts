import { keyOf, Secret } from "@trimtab/apimachinery";
import { type Client, ignoreNotFound, isApiError } from "@trimtab/client";
import type { MultiSecret } from "./api/v1alpha1/multisecret.ts";
import { type Copy, copyOf, isCopyOf, ownerUidOf } from "./copy/copy.ts";
import { copyMetadata } from "./copy/copy-metadata.ts";
import { type DesiredCopy, secretFor } from "./copy/desired-copy.ts";
import { plan, type Step } from "./plan.ts";
import { isOfLeavingNamespace, ownershipConflict, type Refusal, refusalOf } from "./refusal.ts";

/** What came of a step. */
export type Outcome = { readonly namespace: string } & (
  | { readonly type: "created" | "updated" | "deleted" }
  | { readonly type: "refused"; readonly refusal: Refusal }
  /** The namespace is being deleted: nothing is wanted there any more. */
  | { readonly type: "leaving" }
  /** The copy is on its way out; its end will be an event. */
  | { readonly type: "waiting" }
  /** Things are no longer as they were when it was decided on: look again. */
  | { readonly type: "outdated" }
);

export interface Work {
  readonly client: Client;
  readonly multiSecret: MultiSecret;
  readonly desired: DesiredCopy;
}

/** @throws what says nothing of the namespace alone */
export async function carryOut(step: Step, work: Work): Promise<Outcome> {
  const { namespace } = step;
  try {
    return await attempt(step, work);
  } catch (error) {
    if (isOfLeavingNamespace(error)) return { type: "leaving", namespace };
    if (isApiError(error, "Conflict", "NotFound")) return { type: "outdated", namespace };
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return { type: "refused", namespace, refusal };
  }
}

async function attempt(step: Step, work: Work): Promise<Outcome> {
  const { namespace } = step;
  switch (step.type) {
    case "create":
      return create(namespace, work);
    case "update":
      await work.client.update(Secret, updated(step.copy, work.desired));
      return { type: "updated", namespace };
    case "replace":
      await remove(step.copy, work);
      await work.client.create(Secret, secretFor(work.desired, namespace));
      return { type: "updated", namespace };
    case "delete":
      await remove(step.copy, work);
      return { type: "deleted", namespace };
    case "wait":
      return { type: "waiting", namespace };
    case "conflict":
      return { type: "refused", namespace, refusal: ownershipConflict };
  }
}

async function create(namespace: string, work: Work): Promise<Outcome> {
  try {
    await work.client.create(Secret, secretFor(work.desired, namespace));
    return { type: "created", namespace };
  } catch (error) {
    if (!isApiError(error, "AlreadyExists")) throw error;
    return takeBack(namespace, work);
  }
}

/** A Secret has the name that memory knows nothing of: another's, or a copy that has lost the label memory goes by. */
async function takeBack(namespace: string, work: Work): Promise<Outcome> {
  const { client, multiSecret, desired } = work;
  const secret = await ignoreNotFound(client.get(Secret, { namespace, name: desired.name }));
  if (secret === undefined) return { type: "outdated", namespace };
  if (!isCopyOf(secret, multiSecret)) return { type: "refused", namespace, refusal: ownershipConflict };
  if (ownerUidOf(secret) !== undefined) return { type: "outdated", namespace };
  const [step] = plan(multiSecret, desired, [{ namespace, wanted: true, copy: copyOf(secret) }]);
  return step === undefined ? { type: "outdated", namespace } : attempt(step, work);
}

/** A PUT, locked by the copy's resourceVersion. */
function updated(copy: Copy, desired: DesiredCopy): Secret {
  const { immutable } = copy;
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: copyMetadata(copy, desired),
    type: desired.type,
    ...(immutable !== undefined && { immutable }),
    data: desired.data,
  };
}

async function remove(copy: Copy, { client }: Work): Promise<void> {
  await ignoreNotFound(client.delete(Secret, keyOf(copy), { uid: copy.metadata.uid }));
}
