import type { AuditEvent } from "./audit-event.ts";

/** Whether an operator has sent this request, by its user agent, to change something. */
export function isWriteOf(operator: string, { verb, userAgent }: AuditEvent): boolean {
  return userAgent?.startsWith(`${operator}/`) === true && !["get", "list", "watch"].includes(verb);
}

/** `verb resource name`, and the code if it was refused. */
export function describeRequest({ verb, objectRef = {}, responseStatus: { code = 0 } = {} }: AuditEvent): string {
  const { resource, subresource, name } = objectRef;
  const what = [verb, [resource, subresource].filter(Boolean).join("/"), name];
  return [...what, code < 300 ? undefined : code].filter((part) => part !== undefined).join(" ");
}
