import { setTimeout as sleep } from "node:timers/promises";
import { formatKey, isDeleting, type KubeObject, keyOf, Pod, type ResourceType } from "@trimtab/apimachinery";
import { type Client, isApiError } from "@trimtab/client";
import { Workqueue } from "@trimtab/workqueue";
import { registerNode } from "./kubelet-node.ts";
import { runningStatus } from "./running-status.ts";

export interface KubeletOptions {
  readonly client: Client;
  /** The one node that it registers, and binds all pods to. */
  readonly node: string;
}

/** What the API server turns into the `nodeName` of the pod of this name. */
interface Binding extends KubeObject {
  readonly kind: "Binding";
  readonly target: { readonly kind: "Node"; readonly name: string };
}
const Binding: ResourceType<Binding> = {
  group: "",
  version: "v1",
  kind: "Binding",
  plural: "bindings",
  scope: "Namespaced",
};

const workers = 8;
/** Between two tries to reach an API server that is away. */
const pauseMs = 100;

/**
 * Does to pods what a scheduler and a kubelet do, but runs nothing.
 *
 * - A pod is bound, and then runs and is ready, at once; one that names another scheduler or is gated is left alone.
 * - A pod that is being deleted is gone at once, unless a finalizer holds it.
 * - Nothing else: whatever a test says of a pod that has been started, such as that it failed, stands.
 *
 * Resolves when the signal aborts.
 */
export async function runKubelet({ client, node }: KubeletOptions, signal: AbortSignal): Promise<void> {
  await registerNode(client, node, signal);
  const kubelet = new Kubelet(client, node);
  const queue = new Workqueue();
  /** Those that wait in the queue, as last seen. */
  const waiting = new Map<string, Pod>();
  const see = (pod: Pod): void => {
    const key = formatKey(keyOf(pod));
    if (!kubelet.hasWork(pod)) return void waiting.delete(key);
    waiting.set(key, pod);
    queue.add(key);
  };
  const work = async (): Promise<void> => {
    for (let key = await queue.take(signal); key !== undefined; key = await queue.take(signal)) {
      const pod = waiting.get(key);
      try {
        if (pod !== undefined) await kubelet.tend(pod, signal);
        if (waiting.get(key) === pod) waiting.delete(key);
        queue.forget(key);
      } catch {
        // The API server is away; tests stop it, and start it again.
        queue.addRateLimited(key);
      }
      queue.done(key);
    }
  };
  await Promise.all([followPods(client, see, signal), ...Array.from({ length: workers }, work)]);
  queue.close();
}

/**
 * Shows every state of every pod until the signal aborts. After a watch has ended, all pods are listed anew. This is no
 * informer of the cache's, because the cache is itself tested with this package.
 */
async function followPods(client: Client, see: (pod: Pod) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const { items, resourceVersion } = await client.list(Pod, { signal });
      items.forEach(see);
      for await (const event of client.watch(Pod, { resourceVersion, signal })) {
        if (event.type === "ERROR") break;
        if (event.type === "ADDED" || event.type === "MODIFIED") see(event.object);
      }
    } catch {
      // Whatever broke it off, the answer is to begin again.
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

class Kubelet {
  readonly #client: Client;
  readonly #node: string;
  #addresses = 0;

  constructor(client: Client, node: string) {
    this.#client = client;
    this.#node = node;
  }

  hasWork(pod: Pod): boolean {
    return this.#mustEnd(pod) || this.#mustBeBound(pod) || this.#mustStart(pod);
  }

  async tend(pod: Pod, signal: AbortSignal): Promise<void> {
    try {
      if (this.#mustEnd(pod)) await this.#end(pod, signal);
      else if (this.#mustBeBound(pod)) await this.#bind(pod, signal);
      else if (this.#mustStart(pod)) await this.#start(pod, signal);
    } catch (error) {
      // It has changed or gone since: there is an event that says so.
      if (!isApiError(error, "Conflict") && !isApiError(error, "NotFound")) throw error;
    }
  }

  /** A period of 0 has been granted already: what still holds it are finalizers. */
  #mustEnd(pod: Pod): boolean {
    return isDeleting(pod) && pod.spec?.nodeName === this.#node && pod.metadata.deletionGracePeriodSeconds !== 0;
  }

  #mustBeBound({ metadata, spec }: Pod): boolean {
    return (
      metadata.deletionTimestamp === undefined &&
      spec?.nodeName === undefined &&
      spec?.schedulerName === "default-scheduler" &&
      (spec.schedulingGates ?? []).length === 0
    );
  }

  #mustStart(pod: Pod): boolean {
    return !isDeleting(pod) && pod.spec?.nodeName === this.#node && pod.status?.phase === "Pending";
  }

  async #end({ metadata }: Pod, signal: AbortSignal): Promise<void> {
    await this.#client.delete(Pod, metadata, { uid: metadata.uid, gracePeriodSeconds: 0, signal });
  }

  async #bind({ metadata: { name, namespace = "" } }: Pod, signal: AbortSignal): Promise<void> {
    const target = { kind: "Node", name: this.#node } as const;
    await this.#client.create(Binding, { metadata: { name, namespace }, target }, { signal });
  }

  async #start(pod: Pod, signal: AbortSignal): Promise<void> {
    const { uid, resourceVersion } = pod.metadata;
    const status = runningStatus(pod, this.#nextAddress(), new Date().toISOString());
    const patch = { metadata: { uid, resourceVersion }, status };
    await this.#client.mergePatch(Pod, keyOf(pod), patch, { subresource: "status", signal });
  }

  #nextAddress(): string {
    const n = ++this.#addresses;
    return `10.${64 + ((n >> 16) & 63)}.${(n >> 8) & 255}.${n & 255}`;
  }
}
