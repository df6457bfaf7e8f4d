import { accountName } from "./account-with-roles.ts";
import type { AuditEvent } from "./audit-event.ts";
import { rightName } from "./role-right.ts";

/** What an account has asked for, each such as `patch deployments.apps/status`. */
export interface AccountRequests {
  readonly sent: ReadonlySet<string>;
  /** Of these, what RBAC or admission refused. */
  readonly refused: ReadonlySet<string>;
}

/** What the account of `accountWithRoles` in this namespace has asked for, as the audit log has it. */
export function accountRequests(events: readonly AuditEvent[], namespace: string): AccountRequests {
  const user = `system:serviceaccount:${namespace}:${accountName}`;
  const own = events.filter((event) => event.user.username === user && event.objectRef !== undefined);
  const refused = own.filter(({ responseStatus }) => responseStatus?.code === 403);
  return { sent: new Set(own.map(nameOf)), refused: new Set(refused.map(nameOf)) };
}

function nameOf({ verb, objectRef: { apiGroup: group = "", resource, subresource } = {} }: AuditEvent): string {
  return rightName({ verb, group, resource: [resource, subresource].filter(Boolean).join("/") });
}
