import { isDeleting, type KubeObject, type ResourceType } from "@trimtab/apimachinery";
import { done, type Reconcile } from "@trimtab/controller";

export interface FinalizerSteps<T extends KubeObject, Cached extends KubeObject> {
  /** Runs while the object lives, and only once the finalizer is on it. */
  readonly apply: Reconcile<T, Cached>;
  /** Runs when the object is being deleted; the finalizer comes off when it returns `done()`. */
  readonly cleanup: Reconcile<T, Cached>;
}

/**
 * A reconcile that holds an object's deletion back until `cleanup` is through.
 *
 * - If `apply` has ever begun, `cleanup` must succeed before the object is gone.
 * - The finalizer is never put on an object that is being deleted; one that does not hold it then is let go.
 * - It comes off last: the object may be gone after that, and nothing more is written to it.
 * - Both may run more than once, and `cleanup` may run where `apply` never did.
 *
 * An object that is deleted at the moment in which its finalizer is added can still vanish without it
 * (kubernetes/kubernetes#77988): what matters beyond its owner needs a sweep for orphans as well.
 *
 * @param finalizer qualified by a domain, such as `cache.example.com/backups`
 * @throws TypeError if it is not: the API server warns of such finalizers, and refuses them on some kinds
 */
export function withFinalizer<T extends KubeObject, Cached extends KubeObject>(
  type: ResourceType<T>,
  finalizer: string,
  { apply, cleanup }: FinalizerSteps<T, Cached>,
): Reconcile<T, Cached> {
  if (!/^[^/]+\.[^/]+\/[^/]+$/.test(finalizer)) {
    throw new TypeError(
      `finalizer ${JSON.stringify(finalizer)} must be qualified by a domain, as in ${type.group || "example.com"}/name`,
    );
  }

  return async (object, context) => {
    const held = object.metadata.finalizers?.includes(finalizer) ?? false;

    if (isDeleting(object)) {
      if (!held) return done();
      const result = await cleanup(object, context);
      if (result.type === "done") await context.client.removeFinalizer(type, object, finalizer);
      return result;
    }

    return apply(held ? object : await context.client.addFinalizer(type, object, finalizer), context);
  };
}
