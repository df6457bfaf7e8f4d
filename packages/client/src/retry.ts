import { ApiError } from "./api-error.ts";
import { TransportError } from "./transport-error.ts";

const maxAttempts = 4;
const longestRetryAfterMs = 10_000;

export interface FailedAttempt {
  readonly error: unknown;
  /** 1 for the first. */
  readonly attempt: number;
  /** Whether the credentials were made anew for it. */
  readonly renewed: boolean;
  /** Whether the request does no more when processed twice than once. */
  readonly isRepeatable: boolean;
}

/**
 * How long to wait before a failed request is sent again; `undefined`: not at all.
 *
 * - 401: at once, with renewed credentials, but not twice in a row.
 * - 429 and 503 with a `Retry-After` of up to 10 s: after that, and up to a quarter more, as they were not processed.
 * - No connection: whatever was asked has not been processed.
 * - A connection that broke: only what is repeatable, as it may have been processed (Go's `net/http` judges alike).
 */
export function retryDelayMs({ error, attempt, renewed, isRepeatable }: FailedAttempt): number | undefined {
  if (attempt >= maxAttempts) return undefined;
  if (error instanceof ApiError) {
    if (error.statusCode === 401) return renewed ? undefined : 0;
    const waitMs = (error.details.retryAfterSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
    const isBusy = error.statusCode === 429 || error.statusCode === 503;
    return isBusy && waitMs <= longestRetryAfterMs ? waitMs * (1 + Math.random() / 4) : undefined;
  }
  if (!(error instanceof TransportError) || error.cause === undefined) return undefined;
  const { syscall, code } = error.cause as NodeJS.ErrnoException;
  const isUnsent = syscall === "connect" || syscall === "getaddrinfo";
  const isBroken = isRepeatable && code !== undefined && brokenConnection.has(code);
  return isUnsent || isBroken ? 50 * 2 ** attempt * (1 + Math.random()) : undefined;
}

const brokenConnection: ReadonlySet<string> = new Set(["ECONNABORTED", "ECONNRESET", "EPIPE"]);
