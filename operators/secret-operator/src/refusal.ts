import { ApiError } from "@trimtab/client";
import { missingRule } from "@trimtab/controller";

/** Why the API server does not let a namespace have its copy, and what a person can do about it. */
export interface Refusal {
  readonly reason: "Forbidden" | "Invalid" | "NotPermitted" | "OwnershipConflict" | "QuotaExceeded";
  /** Holds nothing of the secret: what the API server refuses it likes to quote. */
  readonly message: string;
}

export const ownershipConflict: Refusal = {
  reason: "OwnershipConflict",
  message: "a Secret of that name is not this MultiSecret's: it is left alone; delete or rename it to make room",
};

/** What an error says of one namespace; `undefined` if it says nothing of it, but of a broken connection, say. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ApiError) || invalidFieldsOf(error).length > 0) return undefined;
  const { reason, message } = error;
  if (reason !== "Forbidden" && reason !== "Invalid") return undefined;
  const quota = /exceeded quota: .*/s.exec(message)?.[0];
  if (quota !== undefined) return { reason: "QuotaExceeded", message: `${quota}: make room, or have the quota raised` };
  const rule = missingRule(error);
  if (rule !== undefined) return { reason: "NotPermitted", message: rule };
  return {
    reason: "Forbidden",
    message: "a policy or webhook of the cluster refuses the Secret: have it allowed there",
  };
}

/** What an error, or what caused it, says of the MultiSecret itself, wherever its copies are to be. */
export function invalidityOf(error: Error): Refusal | undefined {
  const fields = invalidFieldsOf(error instanceof AggregateError ? error.cause : error);
  if (fields.length === 0) return undefined;
  const message = `the API server takes no such Secret, because of ${fields.join(", ")}: change the MultiSecret's spec`;
  return { reason: "Invalid", message };
}

/** Whether an error is because the namespace is going, or gone: what was to be kept there goes with it. */
export function isOfLeavingNamespace(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { reason, details } = error;
  if (details.causes?.some((cause) => cause.reason === "NamespaceTerminating")) return true;
  return reason === "NotFound" && details.kind === "namespaces";
}

/** A policy refuses without naming fields; only a Secret that is none anywhere is refused for its fields. */
function invalidFieldsOf(error: unknown): readonly string[] {
  if (!(error instanceof ApiError) || error.reason !== "Invalid") return [];
  return (error.details.causes ?? []).map(({ field }) => field ?? "").filter((field) => field !== "");
}
