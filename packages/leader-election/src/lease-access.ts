import { Lease } from "@trimtab/apimachinery";
import { type Right, rightsOf } from "@trimtab/client";

/**
 * What an elector asks of the API server, and all that it can: RBAC rules are made of it. All but `create` is about the one
 * Lease, by its name; what is created has no name yet that a rule could be held against.
 */
export const leaseAccess: readonly Right[] = (["get", "create", "update"] as const).flatMap((call) =>
  rightsOf(Lease, call),
);
