import { ApiError, type Status } from "./api-error.ts";
import type { ApiRequest } from "./api-request.ts";
import type { Answer } from "./whole-answer.ts";

/** The error that an answer stands for, whether the API server gave it or a proxy before it. */
export function errorOf({ statusCode, retryAfter, text }: Answer, request: ApiRequest): ApiError {
  const status = statusOf(text);
  const retryAfterSeconds = status.details?.retryAfterSeconds ?? Number(retryAfter);
  const details = { ...status.details, ...(retryAfterSeconds > 0 && { retryAfterSeconds }) };
  return ApiError.of({ ...status, details }, statusCode, request);
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
