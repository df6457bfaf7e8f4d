import { describe, expect, it } from "vitest";
import { withoutNamespace } from "./without-namespace.ts";

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  labels:
    namespace: a-label
  name: a-policy
spec:
  paramRef:
    name: an-account
    namespace: a-system
`;

describe("Manifests without a namespace where there is none", () => {
  it("lose that of a policy's metadata, and no other", () => {
    const rendered = policy.replace("  name: a-policy\n", "  name: a-policy\n  namespace: a-system\n");
    const account = "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: an-account\n  namespace: a-system\n";
    expect(withoutNamespace([account, rendered, account].join("---\n"))).toBe([account, policy, account].join("---\n"));
  });

  it("stay as they are where kustomize knows the kind", () => {
    expect(withoutNamespace(policy)).toBe(policy);
  });
});
