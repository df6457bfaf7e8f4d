import { setTimeout as sleep } from "node:timers/promises";
import { isDeleting, type KubeObject, keyOf, Pod, type ResourceType } from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";
import { podStatus } from "./pod-status.ts";
import type { RunningPod } from "./running-pod.ts";

/** Pods that name it are left alone by the kubelet's stand-in that runs nothing. */
export const schedulerName = "trimtab-e2e";

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

/** A kubelet would wait 10 s between two; here somebody waits. */
const probePeriodMs = 50;

/** What became of a pod. */
export interface PodEnd {
  readonly pod: Pod;
  readonly exit: number | NodeJS.Signals;
  readonly lines: readonly string[];
}

export interface PodNodeOptions {
  readonly client: Client;
  readonly start: (pod: Pod, address: string) => Promise<RunningPod>;
}

/**
 * A node: runs, really, the pods that name its scheduler, tells the API server when they are ready, and ends them when they
 * are deleted. None is started twice: what ends by itself is a failure. What is being deleted before it runs never does.
 */
export class PodNode {
  readonly ends: PodEnd[] = [];
  readonly failures: string[] = [];
  readonly #options: PodNodeOptions;
  readonly #ending = new Map<string, AbortController>();
  readonly #lives = new Set<Promise<void>>();
  readonly #running = new Map<string, RunningPod>();
  #addresses = 0;

  constructor(options: PodNodeOptions) {
    this.#options = options;
  }

  /** Of the pods in a namespace, the ones that run, by their names. */
  running(namespace: string): ReadonlyMap<string, RunningPod> {
    const inIt = [...this.#running].filter(([key]) => key.startsWith(`${namespace}/`));
    return new Map(inIt.map(([key, pod]) => [key.slice(namespace.length + 1), pod]));
  }

  /** Resolves, after the signal has aborted, once no pod runs. */
  async run(signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const fieldSelector = `spec.schedulerName=${schedulerName}`;
    try {
      const { items, resourceVersion } = await client.list(Pod, { fieldSelector, signal });
      for (const pod of items) this.#see(pod);
      for await (const event of client.watch(Pod, { fieldSelector, resourceVersion, signal })) {
        if (event.type === "ADDED" || event.type === "MODIFIED") this.#see(event.object);
        if (event.type === "DELETED") this.#ending.get(event.object.metadata.uid ?? "")?.abort();
      }
      if (!signal.aborted) this.failures.push("the API server ended the watch for pods");
    } catch (error) {
      if (!signal.aborted) this.failures.push(`watch for pods: ${error}`);
    }
    for (const ending of this.#ending.values()) ending.abort();
    await Promise.all(this.#lives);
  }

  #see(pod: Pod): void {
    const { uid = "" } = pod.metadata;
    const known = this.#ending.get(uid);
    const ending = known ?? new AbortController();
    if (isDeleting(pod)) ending.abort();
    if (known !== undefined) return;
    this.#ending.set(uid, ending);
    const life = this.#live(pod, ending.signal).catch((error: unknown) => {
      this.failures.push(`pod ${pod.metadata.name}: ${error instanceof Error ? error.message : error}`);
    });
    this.#lives.add(life);
  }

  async #live(pod: Pod, ending: AbortSignal): Promise<void> {
    const { uid } = pod.metadata;
    if (!ending.aborted) await this.#runUntil(ending, pod);
    const options = { gracePeriodSeconds: 0, ...(uid !== undefined && { uid }) };
    await this.#options.client.delete(Pod, keyOf(pod), options);
  }

  async #runUntil(ending: AbortSignal, pod: Pod): Promise<void> {
    const { client, start } = this.#options;
    const { name, namespace = "", uid } = pod.metadata;
    const address = `10.128.0.${++this.#addresses}`;
    await client.create(Binding, { metadata: { name, namespace }, target: { kind: "Node", name: "e2e" } });
    const running = await start(await client.get(Pod, keyOf(pod)), address);
    const key = `${namespace}/${name}`;
    this.#running.set(key, running);
    const report = async (isReady: boolean): Promise<void> => {
      const patch = { metadata: { uid }, status: podStatus(pod, { address, isReady }) };
      await client.mergePatch(Pod, keyOf(pod), patch, { subresource: "status" });
    };
    try {
      await report(false);
      const over = AbortSignal.any([ending, aborted(running.exited)]);
      while (!over.aborted && !(await running.isReady())) await sleep(probePeriodMs);
      if (!over.aborted) await report(true);
      if (!over.aborted) await new Promise((resolve) => over.addEventListener("abort", resolve, { once: true }));
      if (!ending.aborted) throw new Error(`it ended by itself: ${running.lines.slice(-20).join("\n")}`);
    } finally {
      const exit = await running.stop();
      this.#running.delete(key);
      this.ends.push({ pod, exit, lines: running.lines });
    }
  }
}

function aborted(promise: Promise<unknown>): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  promise.then(abort, abort);
  return controller.signal;
}
