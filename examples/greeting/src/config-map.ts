import { type ConfigMap, controllerReference, keyOf } from "@trimtab/apimachinery";
import type { Applied } from "@trimtab/client";
import type { Greeting } from "./api/v1alpha1/greeting.ts";

/** The ConfigMap that a Greeting asks for. */
export function configMapFor(greeting: Greeting): Applied<ConfigMap> {
  const { whom, times } = greeting.spec;
  return {
    metadata: { ...keyOf(greeting), ownerReferences: [controllerReference(greeting)] },
    data: { greeting: `Hello, ${whom}!\n`.repeat(times) },
  };
}
