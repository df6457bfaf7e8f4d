import { ApiError } from "@trimtab/client";
import { redact } from "./redact.ts";

/** An error as it is logged: what it says of itself and of each of its causes, but for the values it quotes. */
export interface PlainError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly reason?: string;
  readonly statusCode?: number;
  readonly cause?: PlainError;
  readonly errors?: readonly PlainError[];
}

const deepest = 8;

export function plainError(error: unknown, depth = 0): PlainError {
  if (!(error instanceof Error))
    return { type: typeof error, message: typeof error === "string" ? redact(error) : "not an Error" };
  const { name, cause } = error;
  const message = redact(error.message);
  return {
    type: name,
    message,
    ...(depth === 0 && { stack: `${name}: ${message}${framesOf(error)}` }),
    ...(error instanceof ApiError && { reason: error.reason, statusCode: error.statusCode }),
    ...(cause !== undefined && depth < deepest && { cause: plainError(cause, depth + 1) }),
    ...(error instanceof AggregateError &&
      depth < deepest && { errors: error.errors.slice(0, deepest).map((each) => plainError(each, depth + 1)) }),
  };
}

/** A stack begins with the message, as it was when the error was made. */
function framesOf({ stack = "" }: Error): string {
  const start = stack.indexOf("\n    at ");
  return start === -1 ? "" : stack.slice(start);
}
