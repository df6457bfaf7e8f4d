import { ApiError } from "@trimtab/client";
import { TerminalError } from "./terminal-error.ts";

/** Why a reconcile did not succeed, as far as it matters for what to do next. */
export type Failure =
  /** Somebody else wrote first: look again. */
  | { readonly type: "conflict"; readonly error: Error }
  /** Nothing can be created in a namespace that is going, and what was to be kept there goes with it. */
  | { readonly type: "namespaceTerminating"; readonly error: Error }
  /** The API server is away or has too much to do: no fault of the object's. */
  | { readonly type: "unavailable"; readonly error: Error }
  | { readonly type: "terminal"; readonly error: Error }
  | { readonly type: "failed"; readonly error: Error };

/** What something thrown by a reconcile amounts to, going by itself or by what caused it. */
export function failureOf(thrown: unknown): Failure {
  const error = thrown instanceof Error ? thrown : notAnError(thrown);
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TerminalError) return { type: "terminal", error };
    if (cause instanceof ApiError) return { ...verdictOn(cause), error };
  }
  return { type: "failed", error };
}

function verdictOn(error: ApiError): { readonly type: "conflict" | "namespaceTerminating" | "unavailable" | "failed" } {
  if (error.reason === "Conflict") return { type: "conflict" };
  if (error.statusCode === 429 || error.statusCode === 503 || error.statusCode === 504) return { type: "unavailable" };
  return { type: "failed" };
}

function notAnError(thrown: unknown): Error {
  const what = typeof thrown === "string" ? JSON.stringify(thrown) : `a value of type ${typeof thrown}`;
  return new Error(`the reconcile threw ${what}, which is no Error and has no stack`);
}
