import { isDeleting, type KubeObject, type ResourceType } from "@trimtab/apimachinery";
import { done, type Reconcile } from "@trimtab/controller";

export interface FinalizerSteps<T extends KubeObject, Cached extends KubeObject> {
  /** Runs while the object lives, and only once the finalizer is on it. */
  readonly apply: Reconcile<T, Cached>;
  /** Runs when the object is being deleted; the finalizer comes off when it has succeeded. */
  readonly cleanup: Reconcile<T, Cached>;
}

/**
 * A reconcile that holds an object's deletion back until `cleanup` is through.
 *
 * If `apply` has ever begun, `cleanup` must succeed before the object is gone.
 * Both may run more than once, and `cleanup` may run where `apply` never did.
 */
export function withFinalizer<T extends KubeObject, Cached extends KubeObject>(
  type: ResourceType<T>,
  finalizer: string,
  { apply, cleanup }: FinalizerSteps<T, Cached>,
): Reconcile<T, Cached> {
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
