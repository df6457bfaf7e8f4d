import { Deployment } from "@trimtab/apimachinery";
import { ApiError, OwnershipConflictError } from "@trimtab/client";
import { describe, expect, it } from "vitest";
import { deploymentWith } from "./memcached.fixture.ts";
import { refusalOf } from "./refusal.ts";

function forbidden(causes: readonly { readonly reason: string }[] = []): ApiError {
  return new ApiError("exceeded quota: pods", { reason: "Forbidden", statusCode: 403, details: { causes } });
}

describe("refusalOf", () => {
  it("tells whose Deployment is in the way, and what to do", () => {
    expect(refusalOf(new OwnershipConflictError(Deployment, deploymentWith({})))).toEqual({
      reason: "OwnershipConflict",
      message:
        "Deployment team-a/sample was made by someone else: it is left alone; delete or rename it to make room, or give the Memcached another name",
    });
  });

  it("quotes the limit that is reached", () => {
    expect(refusalOf(forbidden())).toMatchObject({
      reason: "Forbidden",
      message: expect.stringMatching(/exceeded quota: pods: make room/),
    });
  });

  it("tells a namespace that is going from other limits", () => {
    expect(refusalOf(forbidden([{ reason: "NamespaceTerminating" }]))).toMatchObject({
      reason: "NamespaceTerminating",
    });
  });

  it.each([
    new Error("socket hang up"),
    new ApiError("try later", { reason: "TooManyRequests", statusCode: 429 }),
    new ApiError("somebody wrote first", { reason: "Conflict", statusCode: 409 }),
  ])("blames no Memcached for %s", (error) => {
    expect(refusalOf(error)).toBeUndefined();
  });
});
