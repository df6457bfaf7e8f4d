import { ApiError, type StatusDetails } from "@trimtab/client";
import { describe, expect, it } from "vitest";
import { invalidityOf, isOfLeavingNamespace, refusalOf } from "./refusal.ts";

function forbidden(message: string, details: StatusDetails = {}): ApiError {
  return new ApiError(message, { reason: "Forbidden", statusCode: 403, details });
}

describe("refusalOf", () => {
  it("quotes the quota that is exceeded", () => {
    expect(refusalOf(forbidden('secrets "x" is forbidden: exceeded quota: q, requested: secrets=1'))).toEqual({
      reason: "QuotaExceeded",
      message: "exceeded quota: q, requested: secrets=1: make room, or have the quota raised",
    });
  });

  it("names the rule that is missing", () => {
    const message =
      'secrets is forbidden: User "op" cannot create resource "secrets" in API group "" in the namespace "x"';
    expect(refusalOf(forbidden(message))).toEqual({
      reason: "NotPermitted",
      message: expect.stringMatching(/^op may not create secrets in the namespace x: grant it/),
    });
  });

  it.each(["Forbidden", "Invalid"] as const)(
    "quotes nothing of what a policy says, %s, which may quote the secret",
    (reason) => {
      const error = new ApiError("denied the request: password hunter2 is too weak", { reason, statusCode: 403 });
      expect(refusalOf(error)?.message).not.toContain("hunter2");
    },
  );

  it("says nothing of what is no refusal", () => {
    expect(refusalOf(new Error("broken pipe"))).toBeUndefined();
    expect(refusalOf(new ApiError("later", { reason: "TooManyRequests", statusCode: 429 }))).toBeUndefined();
  });
});

describe("invalidityOf", () => {
  it("names the fields, and never the values", () => {
    const causes = [{ reason: "FieldValueInvalid", field: "data[tls.crt]", message: 'Invalid value: "hunter2"' }];
    const error = new ApiError("hunter2", { reason: "Invalid", statusCode: 422, details: { causes } });
    expect(invalidityOf(error)).toEqual({
      reason: "Invalid",
      message: "the API server takes no such Secret, because of data[tls.crt]: change the MultiSecret's spec",
    });
    expect(refusalOf(error)).toBeUndefined();
    expect(invalidityOf(new AggregateError([error], "all", { cause: error }))).toEqual(invalidityOf(error));
  });
});

describe("isOfLeavingNamespace", () => {
  it("tells a namespace that is going, or gone, from a refusal", () => {
    expect(isOfLeavingNamespace(forbidden("no", { causes: [{ reason: "NamespaceTerminating" }] }))).toBe(true);
    const gone = { reason: "NotFound", statusCode: 404, details: { kind: "namespaces", name: "x" } } as const;
    expect(isOfLeavingNamespace(new ApiError("gone", gone))).toBe(true);
    expect(isOfLeavingNamespace(forbidden("no"))).toBe(false);
  });
});
