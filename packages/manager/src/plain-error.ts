import { ApiError } from "@trimtab/client";

/** An error as it is logged: never more than what it says of itself, and of each of its causes. */
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
    return { type: typeof error, message: typeof error === "string" ? error : "not an Error" };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message: redact(error, message),
    // The stack begins with the message.
    ...(depth === 0 && stack !== undefined && { stack: redact(error, stack) }),
    ...(error instanceof ApiError && { reason: error.reason, statusCode: error.statusCode }),
    ...(cause !== undefined && depth < deepest && { cause: plainError(cause, depth + 1) }),
    ...(error instanceof AggregateError && {
      errors: error.errors.slice(0, deepest).map((each) => plainError(each, depth + 1)),
    }),
  };
}

/**
 * An API server that refuses a Secret quotes the values it refuses: `data[x]: Invalid value: "…"`.
 * What is quoted after such a word is left out, of whatever kind the object is.
 */
function redact(error: Error, text: string): string {
  if (!(error instanceof ApiError) || error.reason !== "Invalid") return text;
  return text.replaceAll(/((?:Invalid|Unsupported|Duplicate) value:) (?:"(?:[^"\\]|\\.)*"|[^:]*)/g, "$1 (not shown)");
}
