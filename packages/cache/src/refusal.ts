import { ApiError } from "@trimtab/client";

/** The server has forgotten the state asked for: reason `Expired`, or `Gone` of older servers. */
export function isExpired(error: Error): boolean {
  return error instanceof ApiError && error.statusCode === 410;
}

/** The server has yet to come to the state asked for, as after etcd was restored from a backup. */
export function isFromTheFuture(error: Error): boolean {
  if (!(error instanceof ApiError) || error.statusCode !== 504) return false;
  return error.details.causes?.some(({ reason }) => reason === "ResourceVersionTooLarge") ?? false;
}

/** The server refuses the shape of the request: a feature that it does not have, or that is off. */
export function isUnknownRequest(error: Error): boolean {
  return error instanceof ApiError && (error.statusCode === 400 || error.statusCode === 422);
}

/** The server failed at what was asked, which may be the same object each time. */
export function isInternal(error: Error): boolean {
  return error instanceof ApiError && error.statusCode === 500;
}
