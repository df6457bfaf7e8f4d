import { Pod } from "@trimtab/apimachinery";
import { ignoreNotFound } from "@trimtab/client";
import { PodSet } from "./kinds.ts";
import { lacksNames, lacksReadyPods, lacksReplacement, victimOf } from "./pods.ts";
import { type Act, stageNamespace as namespace } from "./story.ts";

const name = "podset-sample";
const sample = "operators/podset-operator/config/samples/app_v1alpha1_podset.yaml";
const pods = ["pods", "-l", `app=${name}`];

interface View {
  readonly podset: PodSet | undefined;
  readonly pods: readonly Pod[];
}

function lacksSet({ podset, pods }: View, count: number): string | undefined {
  const available = podset?.status?.availableReplicas;
  return (
    lacksReadyPods(pods, count) ??
    lacksNames("status.podNames", podset?.status?.podNames, pods) ??
    (available === count ? undefined : `status.availableReplicas is ${available}`)
  );
}

export const podsetAct: Act<View> = {
  title: "PodSet: one to ten pods, and none too many",
  sample,
  operator: "podset-operator",
  look: async (client, signal) => {
    const [podset, { items }] = await Promise.all([
      ignoreNotFound(client.get(PodSet, { namespace, name }, { signal })),
      client.list(Pod, { namespace, labelSelector: { matchLabels: { app: name } }, signal }),
    ]);
    return { podset, pods: items };
  },
  steps: [
    {
      claim: "three pods run",
      command: () => ["apply", "-f", sample],
      lacks: (now) => lacksSet(now, 3),
      show: [["podset"], pods],
    },
    {
      claim: "scaled up: five pods",
      command: () => ["scale", "podset", name, "--replicas=5"],
      lacks: (now) => lacksSet(now, 5),
      show: [pods],
    },
    {
      claim: "eleven are refused: a PodSet has ten pods at most",
      command: () => ["patch", "podset", name, "--type=merge", '-p={"spec":{"replicas":11}}'],
      refused: true,
      lacks: (now) => lacksSet(now, 5),
    },
    {
      claim: "scaled down: two are left",
      command: () => ["scale", "podset", name, "--replicas=2"],
      lacks: (now) => lacksSet(now, 2),
      show: [["podset"]],
    },
    {
      claim: "a pod deleted by hand is replaced",
      command: (before) => ["delete", "pod", victimOf(before.pods)],
      lacks: (now, before) => lacksReplacement(now.pods, victimOf(before.pods), 2) ?? lacksSet(now, 2),
      show: [pods],
    },
    {
      claim: "deleted: no pod is left",
      command: () => ["delete", "podset", name],
      lacks: (now) => {
        if (now.podset !== undefined) return "the PodSet is still there";
        return now.pods.length === 0 ? undefined : `${now.pods.length} pods are still there`;
      },
      show: [["podset,pods"]],
    },
  ],
};
