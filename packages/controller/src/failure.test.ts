import { ApiError, type ApiErrorReason, TransportError } from "@trimtab/client";
import { describe, expect, it } from "vitest";
import { Widget, widget } from "../test/widget.ts";
import { failureOf } from "./failure.ts";
import { TerminalError } from "./index.ts";

function api(reason: ApiErrorReason, statusCode: number, details: ApiError["details"] = {}): ApiError {
  return new ApiError("no", { reason, statusCode, details });
}

const typeOf = (thrown: unknown) => failureOf(thrown, Widget, widget("a")).type;

describe("failureOf", () => {
  it.each([
    ["a conflict", api("Conflict", 409), "conflict"],
    [
      "a write to the object itself, which is gone",
      api("NotFound", 404, { name: "a", kind: "widgets", group: "example.com" }),
      "conflict",
    ],
    [
      "another object that is gone",
      api("NotFound", 404, { name: "b", kind: "widgets", group: "example.com" }),
      "failed",
    ],
    ["a namesake of another kind that is gone", api("NotFound", 404, { name: "a", kind: "pods" }), "failed"],
    ["a status subresource that the CRD does not have", api("NotFound", 404), "failed"],
    [
      "a namespace that is going",
      api("Forbidden", 403, { causes: [{ reason: "NamespaceTerminating", field: "metadata.namespace" }] }),
      "namespaceTerminating",
    ],
    ["a quota or a missing rule", api("Forbidden", 403), "failed"],
    ["a server that has too much to do", api("TooManyRequests", 429), "unavailable"],
    ["a server that is shutting down", api("ServiceUnavailable", 503), "unavailable"],
    ["a webhook that fails", api("InternalError", 500), "failed"],
    ["a broken connection", new TransportError("connection refused"), "unavailable"],
    ["a terminal error", new TerminalError("never"), "terminal"],
    ["any other error", new RangeError("index"), "failed"],
  ])("tells %s", (_, error, type) => {
    expect(typeOf(error)).toBe(type);
    expect(typeOf(new Error("cannot scale", { cause: error }))).toBe(type);
  });

  it("takes an error for terminal, whatever caused it", () => {
    expect(typeOf(new TerminalError("never", { cause: api("Conflict", 409) }))).toBe("terminal");
  });

  it("keeps the error that was thrown", () => {
    const error = new Error("cannot scale", { cause: api("Conflict", 409) });
    expect(failureOf(error, Widget, widget("a")).error).toBe(error);
  });
});
