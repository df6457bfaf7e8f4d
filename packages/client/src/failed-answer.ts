import { ApiError, type Status } from "./api-error.ts";
import type { ApiRequest } from "./api-request.ts";
import type { Answer } from "./whole-answer.ts";

/** The error that an answer stands for, whether the API server gave it or a proxy before it. */
export function errorOf({ statusCode, retryAfter, text }: Answer, request: ApiRequest): ApiError {
  const status = statusOf(text);
  const retryAfterSeconds = status.details?.retryAfterSeconds ?? Number(retryAfter);
  const details = { ...status.details, ...(retryAfterSeconds > 0 && { retryAfterSeconds }) };
  const told = { ...status, details };
  return ApiError.of(isOfSecrets(request) ? withoutValues(told) : told, statusCode, request);
}

function isOfSecrets({ group, resource }: ApiRequest): boolean {
  return group === "" && resource === "secrets";
}

/** The API server quotes values that it refuses, and errors reach conditions, events and logs. */
function withoutValues(status: Status): Status {
  const causes = status.details?.causes?.map((cause) => ({ ...cause, message: withoutQuotes(cause.message) }));
  return {
    ...status,
    message: withoutQuotes(status.message),
    details: { ...status.details, ...(causes !== undefined && { causes }) },
  };
}

function withoutQuotes(text = ""): string {
  return text.replaceAll(/((?:Invalid|Unsupported|Duplicate) value:) (?:"(?:[^"\\]|\\.)*"|[^:]*)/g, "$1 (not shown)");
}

function statusOf(text: string): Status {
  try {
    const body = JSON.parse(text) as Status | null;
    if (body?.kind === "Status") return body;
  } catch {
    // A proxy's page; its first line is all that can be said.
  }
  return { message: text.trim().split("\n", 1)[0]?.slice(0, 200) ?? "" };
}
