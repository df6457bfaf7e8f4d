import { ApiError, OwnershipConflictError } from "@trimtab/client";

/** Why the API server does not let a Memcached have its Deployment, and what a person can do about it. */
export interface Refusal {
  readonly reason: "Forbidden" | "Invalid" | "NamespaceTerminating" | "OwnershipConflict";
  readonly message: string;
}

/** What an error says of the Memcached itself; `undefined` for one that says nothing, such as a broken connection. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof OwnershipConflictError) {
    return { reason: "OwnershipConflict", message: `${error.message}, or give the Memcached another name` };
  }
  if (!(error instanceof ApiError)) return undefined;
  if (error.details.causes?.some(({ reason }) => reason === "NamespaceTerminating")) {
    const advice = "make the Memcached in another one";
    return { reason: "NamespaceTerminating", message: `the namespace is being deleted: ${advice}` };
  }
  switch (error.reason) {
    case "Forbidden":
      return { reason: "Forbidden", message: `${error.message}: make room in what it names, or have it raised` };
    case "Invalid":
      return { reason: "Invalid", message: `${error.message}: change the Memcached's spec` };
    default:
      return undefined;
  }
}
