import type { KubeObject, ResourceType } from "@trimtab/apimachinery";
import type { Created } from "@trimtab/client";
import { expect } from "vitest";
import { patience, type Team } from "./team.ts";

const group = "admissionregistration.k8s.io";
const Policy: ResourceType = {
  group,
  version: "v1",
  kind: "ValidatingAdmissionPolicy",
  plural: "validatingadmissionpolicies",
  scope: "Cluster",
};
const Binding: ResourceType = {
  group,
  version: "v1",
  kind: "ValidatingAdmissionPolicyBinding",
  plural: "validatingadmissionpolicybindings",
  scope: "Cluster",
};

/** Has the API server refuse the deletion of a pod; resolves once it does. @returns what lets it be deleted again */
export async function protectPod(team: Team, name: string): Promise<() => Promise<void>> {
  const { client, namespace } = team;
  const policy = { name: namespace };
  await client.create(Policy, {
    metadata: policy,
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["DELETE"] }],
      },
      validations: [{ expression: `request.name != "${name}"`, message: "is needed", reason: "Forbidden" }],
    },
  } as Created<KubeObject>);
  await client.create(Binding, {
    metadata: policy,
    spec: {
      policyName: policy.name,
      validationActions: ["Deny"],
      matchResources: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } } },
    },
  } as Created<KubeObject>);
  const refusal = () => team.kubectl("delete", "pod", name, "--dry-run=server").catch(({ message }: Error) => message);
  await expect.poll(refusal, patience).toContain("is needed");
  return async () => {
    await client.delete(Binding, policy);
    await client.delete(Policy, policy);
  };
}
