import type { KubeObject } from "@trimtab/apimachinery";
import type { ApiError } from "./api-error.ts";

/** One line of a watch, decoded. An `ERROR` event carries the Status as the error it stands for. */
export type WatchEvent<T extends KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: "ERROR"; readonly error: ApiError };
