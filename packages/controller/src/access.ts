import { type Right, rightsOf } from "@trimtab/client";
import type { ControllerDefinition, WatchDefinition } from "./controller-for.ts";

/**
 * What a controller asks of the API server, by what its definition declares: its watches, its calls, and that its objects
 * may own others. RBAC rules are made of it, and while it runs its client sends nothing beyond it.
 *
 * Where OwnerReferencesPermissionEnforcement is on, as in OpenShift, an owner reference that blocks the deletion of its
 * owner needs `update` on the owner's finalizers.
 */
export function accessOf({ for: { group, plural: resource }, watches }: ControllerDefinition): readonly Right[] {
  const owns = watches.some(({ relation }) => relation === "owned");
  return [
    ...watches.flatMap(accessOfWatch),
    ...(owns ? [{ verb: "update", group, resource, subresource: "finalizers" } as const] : []),
  ];
}

function accessOfWatch({ type, calls }: WatchDefinition): readonly Right[] {
  return (["list", "watch", ...calls] as const).flatMap((call) => rightsOf(type, call));
}
