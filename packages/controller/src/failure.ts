import type { KubeObject, ResourceType } from "@trimtab/apimachinery";
import { ApiError, TransportError } from "@trimtab/client";
import { causesOf } from "./causes.ts";
import { TerminalError } from "./terminal-error.ts";

/** Why a reconcile did not succeed, as far as it matters for what to do next. */
export interface Failure {
  readonly type: /** Somebody else wrote first, or deleted the object: look again. */
    | "conflict"
    /** Nothing can be created in a namespace that is going, and what was to be kept there goes with it. */
    | "namespaceTerminating"
    /** The API server is away or has too much to do: no fault of the object's. */
    | "unavailable"
    | "terminal"
    | "failed";
  readonly error: Error;
}

/** What a value thrown by the reconcile of an object amounts to, going by itself or by what caused it. */
export function failureOf(thrown: unknown, type: ResourceType, object: KubeObject): Failure {
  const error = thrown instanceof Error ? thrown : notAnError(thrown);
  for (const cause of causesOf(error)) {
    if (cause instanceof TerminalError) return { type: "terminal", error };
    if (cause instanceof TransportError) return { type: "unavailable", error };
    if (cause instanceof ApiError) return { type: saysOfGone(cause, type, object) ? "conflict" : typeOf(cause), error };
  }
  return { type: "failed", error };
}

function typeOf({ reason, details }: ApiError): Failure["type"] {
  switch (reason) {
    case "Conflict":
      return "conflict";
    case "ServerTimeout":
    case "ServiceUnavailable":
    case "Timeout":
    case "TooManyRequests":
      return "unavailable";
    case "Forbidden":
      return details.causes?.some((cause) => cause.reason === "NamespaceTerminating")
        ? "namespaceTerminating"
        : "failed";
    default:
      return "failed";
  }
}

/** Whether it is the object itself that was not found: then the event of its deletion is on its way. */
function saysOfGone({ reason, details }: ApiError, type: ResourceType, { metadata }: KubeObject): boolean {
  // Of a Status, `kind` is the resource.
  const { name, kind, group = "" } = details;
  return reason === "NotFound" && name === metadata.name && kind === type.plural && group === type.group;
}

function notAnError(thrown: unknown): Error {
  const what = typeof thrown === "string" ? JSON.stringify(thrown) : `a value of type ${typeof thrown}`;
  return new Error(`the reconcile threw ${what}, which is no Error and has no stack`);
}
