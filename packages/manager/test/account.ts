import type { KubeObject, ResourceType } from "@trimtab/apimachinery";
import { ServiceAccount } from "@trimtab/apimachinery";
import type { Created } from "@trimtab/client";
import { serviceAccountKubeconfig } from "@trimtab/envtest";
import type { Playground } from "./toy.ts";

const Role: ResourceType = rbac("Role", "roles");
const RoleBinding: ResourceType = rbac("RoleBinding", "rolebindings");

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const read = ["get", "list", "watch"];
export const readConfigMaps: Rule = { apiGroups: [""], resources: ["configmaps"], verbs: read };
export const readSecrets: Rule = { apiGroups: [""], resources: ["secrets"], verbs: read };
export const writeSecrets: Rule = { apiGroups: [""], resources: ["secrets"], verbs: ["create", "patch"] };
export const writeEvents: Rule = { apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] };

/** A service account that may do what it is granted in the playground, and nothing else. */
export class Account {
  readonly kubeconfigPath: string;
  readonly #playground: Playground;

  private constructor(playground: Playground, kubeconfigPath: string) {
    this.#playground = playground;
    this.kubeconfigPath = kubeconfigPath;
  }

  static async open(playground: Playground): Promise<Account> {
    const { client, namespace, kubeconfigPath } = playground;
    const name = "operator";
    await client.create(ServiceAccount, { metadata: { name, namespace } });
    const subjects = [{ kind: "ServiceAccount", name, namespace }];
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name };
    await client.create(Role, { metadata: { name, namespace }, rules: [] } as Created<KubeObject>);
    await client.create(RoleBinding, { metadata: { name, namespace }, subjects, roleRef } as Created<KubeObject>);
    return new Account(playground, await serviceAccountKubeconfig({ kubeconfigPath, namespace, name }));
  }

  /** These rules, in the place of those before. */
  async grant(...rules: readonly Rule[]): Promise<void> {
    const { client, namespace } = this.#playground;
    await client.mergePatch(Role, { name: "operator", namespace }, { rules });
  }
}

function rbac(kind: string, plural: string): ResourceType {
  return { group: "rbac.authorization.k8s.io", version: "v1", kind, plural, scope: "Namespaced" };
}
