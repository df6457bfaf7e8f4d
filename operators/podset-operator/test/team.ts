import { resolve } from "node:path";
import { controllerOf, Pod } from "@trimtab/apimachinery";
import { customResourceDefinition } from "@trimtab/crd";
import { type Team as CommonTeam, teamTest } from "@trimtab/envtest/team";
import { PodSet } from "../src/api/v1alpha1/podset.ts";
import { isActive } from "../src/pod-state.ts";

export { patience } from "@trimtab/envtest/team";

const operator = resolve(import.meta.dirname, "..");
const options = {
  operator: "podset-operator",
  main: resolve(operator, "src/main.ts"),
  roles: resolve(operator, "config/rbac/namespaced/role.yaml"),
  type: PodSet,
  crd: customResourceDefinition(PodSet),
};

/** What tests do with PodSets, and with pods. */
const verbsOf = (team: CommonTeam<PodSet>) => {
  const podset = (name: string): Promise<PodSet> => team.client.get(PodSet, team.key(name));

  /** The pods that a PodSet controls, those included that do not count. */
  const pods = async (name: string): Promise<readonly Pod[]> => {
    const { uid } = (await podset(name)).metadata;
    const { items } = await team.client.list(Pod, { namespace: team.namespace });
    return items.filter((pod) => controllerOf(pod)?.uid === uid);
  };

  return {
    podset,
    pods,

    create: (name: string, spec: { readonly replicas?: number } = {}): Promise<PodSet> =>
      team.client.create(PodSet, { metadata: team.key(name), spec }),

    scale: (name: string, replicas: number): Promise<PodSet> =>
      team.client.mergePatch(PodSet, team.key(name), { spec: { replicas } }),

    /** A pod that is nobody's. */
    foreignPod: (name: string, labels: Readonly<Record<string, string>> = {}): Promise<Pod> => {
      const spec = { containers: [{ name: "only", image: "any" }] };
      return team.client.create(Pod, { metadata: { ...team.key(name), labels }, spec });
    },

    /** The names of those that count, in alphabetical order. */
    podNames: async (name: string): Promise<readonly string[]> =>
      (await pods(name))
        .filter(isActive)
        .map(({ metadata }) => metadata.name)
        .sort(),

    /** What a kubelet would say of a pod. */
    say: (name: string, status: object): Promise<Pod> =>
      team.client.mergePatch(Pod, team.key(name), { status }, { subresource: "status" }),

    /** Holds a pod's deletion back, as a long grace period does; with `null`, no longer. */
    hold: (name: string, finalizers: readonly string[] | null = ["podset.test/stay"]): Promise<Pod> =>
      team.client.mergePatch(Pod, team.key(name), { metadata: { finalizers } }),
  };
};

export type Team = CommonTeam<PodSet> & ReturnType<typeof verbsOf>;

export const it = teamTest(options, verbsOf);
