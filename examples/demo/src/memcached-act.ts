import { Deployment, Pod } from "@trimtab/apimachinery";
import { ignoreNotFound } from "@trimtab/client";
import { Memcached } from "./kinds.ts";
import { lacksNames, lacksReadyPods, lacksReplacement, victimOf } from "./pods.ts";
import { type Act, stageNamespace as namespace } from "./story.ts";

const name = "memcached-sample";
const sample = "operators/memcached-operator/config/samples/cache_v1alpha1_memcached.yaml";
const labels = { app: "memcached", memcached_cr: name };
const pods = ["pods", "-l", `memcached_cr=${name}`];

const image = ".spec.template.spec.containers[0].image";

interface View {
  readonly memcached: Memcached | undefined;
  readonly deployment: Deployment | undefined;
  readonly pods: readonly Pod[];
}

/** The status tells of these pods, and of no others. */
function lacksCaches({ memcached, pods }: View, count: number): string | undefined {
  return lacksReadyPods(pods, count) ?? lacksNames("status.nodes", memcached?.status?.nodes, pods);
}

function imageOf({ deployment }: View): string | undefined {
  return deployment?.spec?.template.spec?.containers[0]?.image;
}

export const memcachedAct: Act<View> = {
  title: "Memcached: a cache of as many pods as you ask for",
  sample,
  operator: "memcached-operator",
  look: async (client, signal) => {
    const key = { namespace, name };
    const [memcached, deployment, { items }] = await Promise.all([
      ignoreNotFound(client.get(Memcached, key, { signal })),
      ignoreNotFound(client.get(Deployment, key, { signal })),
      client.list(Pod, { namespace, labelSelector: { matchLabels: labels }, signal }),
    ]);
    return { memcached, deployment, pods: items };
  },
  steps: [
    {
      claim: "a Deployment is made, and its two pods run",
      command: () => ["apply", "-f", sample],
      lacks: (now) => lacksCaches(now, 2),
      show: [["memcached"], ["deployment"], pods],
    },
    {
      claim: "scaled up: five pods, and status.nodes names them",
      command: () => ["patch", "memcached", name, "--type=merge", '-p={"spec":{"size":5}}'],
      lacks: (now) => lacksCaches(now, 5),
      show: [pods],
    },
    {
      claim: "scaled down by kubectl scale: three are left",
      command: () => ["scale", "memcached", name, "--replicas=3"],
      lacks: (now) => lacksCaches(now, 3),
      show: [["memcached"]],
    },
    {
      claim: "a size that cannot be is refused by the API server",
      command: () => ["patch", "memcached", name, "--type=merge", '-p={"spec":{"size":-1}}'],
      refused: true,
      lacks: (now) => lacksCaches(now, 3),
    },
    {
      claim: "a pod deleted by hand is replaced, and status.nodes follows",
      command: (before) => ["delete", "pod", victimOf(before.pods)],
      lacks: (now, before) => lacksReplacement(now.pods, victimOf(before.pods), 3) ?? lacksCaches(now, 3),
      show: [pods],
    },
    {
      claim: "an image edited by hand is put back",
      command: () => ["set", "image", `deployment/${name}`, "memcached=nginx"],
      lacks: (now, before) =>
        imageOf(now) === imageOf(before) ? lacksCaches(now, 3) : `the Deployment's image is ${imageOf(now)}`,
      show: [["deployment", "-o", `custom-columns=NAME:.metadata.name,IMAGE:${image}`]],
    },
    {
      claim: "deleted: no Deployment and no pod is left",
      command: () => ["delete", "memcached", name],
      lacks: (now) => {
        if (now.memcached !== undefined) return "the Memcached is still there";
        if (now.deployment !== undefined) return "the Deployment is still there";
        return now.pods.length === 0 ? undefined : `${now.pods.length} pods are still there`;
      },
      show: [["memcached,deployments,pods"]],
    },
  ],
};
