import { Namespace } from "@trimtab/apimachinery";
import type { ReconcileContext } from "@trimtab/controller";
import type { MultiSecret } from "./api/v1alpha1/multisecret.ts";
import type { Outcome } from "./carry-out.ts";
import { Copy } from "./copy/copy.ts";
import { refusalOf } from "./refusal.ts";
import { selects } from "./targets.ts";

/** The chosen namespaces whose Secrets the operator is to look after and may not see: of those nothing is known, and nothing is tried there. */
export function notPermitted(
  multiSecret: MultiSecret,
  cache: ReconcileContext<Namespace | Copy>["cache"],
): readonly Outcome[] {
  return cache.list(Namespace).flatMap((each) => {
    const { name: namespace } = each.metadata;
    const refusal = refusalOf(cache.forbidden(Copy, namespace));
    return refusal === undefined || !selects(multiSecret, each) ? [] : [{ type: "refused", namespace, refusal }];
  });
}
