import type { KubeObject, LabelSelector, ObjectKey } from "@trimtab/apimachinery";
import type { Memcached } from "../api/v1alpha1/memcached.ts";

const instanceLabel = "memcached_cr";

/** Finds everything that belongs to some Memcached, and little else. */
export const anyInstance: LabelSelector = { matchLabels: { app: "memcached" } };

/** The labels that tell this Memcached's Pods from all others. */
export function labelsOf({ metadata }: Memcached): Readonly<Record<string, string>> {
  return { ...anyInstance.matchLabels, [instanceLabel]: metadata.name };
}

/** The Memcached that an object's labels name: reason enough to look, never proof that it is the owner. */
export function instanceOf({ metadata: { namespace, labels } }: KubeObject): readonly ObjectKey[] {
  const name = labels?.[instanceLabel];
  return name === undefined || namespace === undefined ? [] : [{ namespace, name }];
}
