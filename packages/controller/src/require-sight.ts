import type { KubeObject } from "@trimtab/apimachinery";
import type { CacheReader } from "@trimtab/cache";
import type { WatchDefinition } from "./controller-for.ts";

/**
 * Memory holds nothing of a namespace that is forbidden: what an object there owns would be made once more.
 *
 * @throws {Error} if a kind that is owned cannot be seen in the object's namespace
 */
export function requireSight(cache: CacheReader, watches: readonly WatchDefinition[], { metadata }: KubeObject): void {
  const { namespace } = metadata;
  if (namespace === undefined) return;
  for (const { relation, type } of watches) {
    const cause = relation === "owned" ? cache.forbidden(type, namespace) : undefined;
    if (cause !== undefined) throw new Error(`cannot see which ${type.plural} there are in ${namespace}`, { cause });
  }
}
