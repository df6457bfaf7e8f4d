import { keyOf } from "@trimtab/apimachinery";
import { ignoreNotFound, isApiError } from "@trimtab/client";
import { controllerFor, done, type EventHandler, type Reconcile, requeueAfter } from "@trimtab/controller";
import { MultiSecret } from "./api/v1alpha1/multisecret.ts";
import { Copy, copySource, ownerOf, ownerUidLabel, ownerUidOf } from "./copy/copy.ts";
import { copyName } from "./copy/copy-name.ts";
import { isWithinReach } from "./reach.ts";

/**
 * Deletes a copy whose MultiSecret is no more.
 *
 * A finalizer is no guarantee: an object that is deleted in the moment in which it gets one may vanish all the same
 * (kubernetes/kubernetes#77988), and a person can take it off.
 */
const reconcile: Reconcile<Copy, Copy | MultiSecret> = async (copy, { cache, client, log }) => {
  const owner = ownerOf(copy);
  // What somebody else has made of a copy has another name, or tells of no owner.
  if (owner === undefined || copy.metadata.name !== copyName(owner)) return done();
  if (!cache.watches(MultiSecret, owner.namespace)) return done();
  // Nothing tells when the operator is let in.
  if (!isWithinReach(cache, MultiSecret, owner.namespace)) return requeueAfter("5s");
  const uid = ownerUidOf(copy);
  if (cache.get(MultiSecret, owner)?.metadata.uid === uid) return done();
  const live = await ignoreNotFound(client.get(MultiSecret, owner));
  if (live?.metadata.uid === uid) return done();

  const { uid: own, resourceVersion } = copy.metadata;
  try {
    // Unless another of the owner's name has taken it over meanwhile.
    await client.delete(Copy, keyOf(copy), { uid: own, resourceVersion });
    log.info({ owner: `${owner.namespace}/${owner.name}` }, "deleted a copy whose MultiSecret is gone");
  } catch (error) {
    if (!isApiError(error, "NotFound")) throw error;
  }
  return done();
};

const copiesOfDeleted: EventHandler<MultiSecret, Copy | MultiSecret> = ({ type, object }, cache) =>
  type === "deleted" ? cache.list(Copy, { labels: { [ownerUidLabel]: object.metadata.uid } }).map(keyOf) : [];

export const orphanController = controllerFor(Copy, {
  ...copySource,
  predicate: ({ type }) => type === "added",
  calls: ["delete"],
})
  .watches(MultiSecret, copiesOfDeleted, { calls: ["get"] })
  .complete(reconcile, { name: "orphaned-copy" });
