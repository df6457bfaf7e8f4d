/** One request, as the API server's audit log has it: `audit.k8s.io/v1 Event` at level Metadata. */
export interface AuditEvent {
  readonly auditID: string;
  /** `ResponseStarted` for a watch that is still open. */
  readonly stage: "ResponseStarted" | "ResponseComplete" | "Panic";
  readonly verb: string;
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly impersonatedUser?: { readonly username: string; readonly groups?: readonly string[] };
  readonly userAgent?: string;
  readonly requestURI: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  /** RFC 3339, with microseconds. */
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}
