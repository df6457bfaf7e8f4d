import { ApiError } from "@trimtab/client";

/** Why the API server does not let a PodSet have its pods, and what a person can do about it. */
export interface Refusal {
  readonly reason: "Forbidden" | "Invalid" | "NamespaceTerminating" | "QuotaExceeded";
  readonly message: string;
}

/** What an error says of the PodSet itself; `undefined` for one that says nothing, such as a broken connection. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { reason, details, message } = error;
  if (details.causes?.some((cause) => cause.reason === "NamespaceTerminating"))
    return {
      reason: "NamespaceTerminating",
      message: "the namespace is being deleted: make the PodSet in another one",
    };
  if (reason === "Forbidden" && message.includes("exceeded quota"))
    return { reason: "QuotaExceeded", message: `${message}: make room in the quota, or lower spec.replicas` };
  if (reason === "Forbidden") return { reason, message: `${message}: have what it names allowed` };
  if (reason === "Invalid") return { reason, message: `${message}: a policy of the cluster may have changed the pod` };
  return undefined;
}
