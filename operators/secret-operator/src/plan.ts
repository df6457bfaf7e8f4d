import { isDeleting } from "@trimtab/apimachinery";
import type { MultiSecret } from "./api/v1alpha1/multisecret.ts";
import { type Copy, isCopyOf } from "./copy/copy.ts";
import { hasMetadata } from "./copy/copy-metadata.ts";
import type { DesiredCopy } from "./copy/desired-copy.ts";

/** A namespace, and what memory holds there under the name of the copy. */
export interface Place {
  readonly namespace: string;
  readonly wanted: boolean;
  readonly copy: Copy | undefined;
}

/** What is to be done about the copy in one namespace. */
export type Step =
  | { readonly type: "create"; readonly namespace: string }
  /** `replace` where something differs that a Secret never changes. */
  | { readonly type: "update" | "replace" | "delete"; readonly namespace: string; readonly copy: Copy }
  /** The copy is on its way out, and another can be made only then: nothing yet. */
  | { readonly type: "wait"; readonly namespace: string }
  /** The name is taken by a Secret that is no copy of this MultiSecret's: nothing, ever. */
  | { readonly type: "conflict"; readonly namespace: string };

/** What is to be done in these namespaces; no step where all is as it should be. */
export function plan(multiSecret: MultiSecret, desired: DesiredCopy, places: readonly Place[]): readonly Step[] {
  return places.map((place) => stepFor(place, multiSecret, desired)).filter((step) => step !== undefined);
}

function stepFor({ namespace, wanted, copy }: Place, owner: MultiSecret, desired: DesiredCopy): Step | undefined {
  if (copy === undefined) return wanted ? { type: "create", namespace } : undefined;
  if (!isCopyOf(copy, owner)) return wanted ? { type: "conflict", namespace } : undefined;
  if (isDeleting(copy)) return wanted ? { type: "wait", namespace } : undefined;
  if (!wanted) return { type: "delete", namespace, copy };

  const hasContent = copy.digest === desired.digest;
  if (copy.type !== desired.type || (copy.immutable === true && !hasContent))
    return { type: "replace", namespace, copy };
  return hasContent && hasMetadata(copy, desired) ? undefined : { type: "update", namespace, copy };
}
