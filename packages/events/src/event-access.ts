import { Event } from "@trimtab/apimachinery";
import { type Right, rightsOf } from "@trimtab/client";

/** What a recorder asks of the API server, and all that it can: RBAC rules are made of it. */
export const eventAccess: readonly Right[] = [...rightsOf(Event, "create"), ...rightsOf(Event, "mergePatch")];
