import { accountName } from "./account-with-roles.ts";
import type { AuditEvent } from "./audit-event.ts";
import type { Role } from "./role.ts";

/** What an account has asked for, each as `verb resource`, such as `patch deployments/status`. */
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

/** What roles allow, in the same words. */
export function allowedRequests(roles: readonly Role[]): ReadonlySet<string> {
  const rules = roles.flatMap((role) => role.rules);
  return new Set(
    rules.flatMap(({ resources, verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
    ),
  );
}

function nameOf({ verb, objectRef: { resource, subresource } = {} }: AuditEvent): string {
  return `${verb} ${[resource, subresource].filter(Boolean).join("/")}`;
}
