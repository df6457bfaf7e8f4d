import { ApiError } from "@trimtab/client";
import { describe, expect, it } from "vitest";
import { missingRule } from "./missing-rule.ts";

function forbidden(message: string): ApiError {
  return new ApiError(message, { reason: "Forbidden", statusCode: 403 });
}

describe("missingRule", () => {
  it("names the user, the verb, the resource, the namespace and the rule", () => {
    const error = forbidden(
      'deployments.apps "a" is forbidden: User "system:serviceaccount:ns:op" cannot patch resource "deployments" in API group "apps" in the namespace "default"',
    );
    expect(missingRule(error)).toBe(
      'system:serviceaccount:ns:op may not patch deployments.apps in the namespace default: grant it {"apiGroups":["apps"],"resources":["deployments"],"verbs":["patch"]} by a Role there',
    );
  });

  it("names a rule for the whole cluster, and for a subresource of the core group", () => {
    const error = forbidden(
      'pods is forbidden: User "op" cannot create resource "pods/eviction" in API group "" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "x" not found',
    );
    expect(missingRule(error)).toBe(
      'op may not create pods/eviction at the cluster scope: grant it {"apiGroups":[""],"resources":["pods/eviction"],"verbs":["create"]} by a ClusterRole',
    );
  });

  it("names the rule for finalizers, where owner references are guarded", () => {
    const error = forbidden(
      'deployments.apps "a" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can\'t set finalizers on: , <nil>',
    );
    expect(missingRule(error)).toBe(
      'deployments.apps "a" may not hold back its owner\'s deletion: grant update on the finalizers of the owner\'s kind, {"resources":["<plural>/finalizers"],"verbs":["update"]}',
    );
  });

  it("finds it behind the errors it caused", () => {
    const error = forbidden('x: User "op" cannot list resource "pods" in API group "" at the cluster scope');
    expect(missingRule(new Error("outer", { cause: new Error("inner", { cause: error }) }))).toContain("list pods");
  });

  it.each([
    [
      "a quota",
      forbidden('pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1'),
    ],
    ["a webhook", forbidden('admission webhook "w" denied the request: User "op" is not liked')],
    ["a conflict", new ApiError("modified", { reason: "Conflict", statusCode: 409 })],
    ["no error", "User"],
  ])("says nothing of %s", (_, error) => {
    expect(missingRule(error)).toBeUndefined();
  });
});
