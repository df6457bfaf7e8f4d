import { Deployment, Pod } from "@trimtab/apimachinery";
import { type Client, createClient, ignoreNotFound, loadConnection } from "@trimtab/client";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { testNamespace } from "../src/vitest.ts";

let client: Client;
beforeAll(async () => {
  const connection = await loadConnection({ kubeconfig: inject("kubeconfigPath"), env: {} });
  client = createClient({ connection, userAgent: "kubelet-test", fieldManager: "kubelet-test" });
});
afterAll(() => client.close());

const poll = { timeout: 20_000, interval: 50 };
const containers = [{ name: "main", image: "busybox:1" }];

/** The first state of the pod that satisfies. */
async function podThat(namespace: string, name: string, satisfies: (pod: Pod) => boolean): Promise<Pod> {
  const stop = new AbortController();
  try {
    const options = { namespace, fieldSelector: `metadata.name=${name}`, signal: stop.signal };
    const { items, resourceVersion } = await client.list(Pod, options);
    const found = items.find(satisfies);
    if (found !== undefined) return found;
    for await (const event of client.watch(Pod, { ...options, resourceVersion })) {
      if ((event.type === "ADDED" || event.type === "MODIFIED") && satisfies(event.object)) return event.object;
    }
  } finally {
    stop.abort();
  }
  throw new Error(`the watch of pod ${name} ended`);
}

const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;

/** Resolves once the pod is gone. */
async function gone(namespace: string, name: string): Promise<void> {
  const stop = new AbortController();
  const options = { namespace, fieldSelector: `metadata.name=${name}`, signal: stop.signal };
  const { items, resourceVersion } = await client.list(Pod, options);
  if (items.length === 0) return;
  for await (const event of client.watch(Pod, { ...options, resourceVersion })) if (event.type === "DELETED") break;
  stop.abort();
}

describe("the kubelet's stand-in", () => {
  it("binds a pod and lets its containers run", async () => {
    const namespace = await testNamespace();
    const initContainers = [
      { name: "once", image: "busybox:2" },
      { name: "beside", image: "busybox:3", restartPolicy: "Always" },
    ];
    await client.create(Pod, { metadata: { namespace, name: "web" }, spec: { containers, initContainers } });
    const pod = await podThat(namespace, "web", isReady);
    expect(pod.spec?.nodeName).toBe("node-1");
    expect(pod.status).toMatchObject({
      phase: "Running",
      podIP: expect.stringMatching(/^10\./),
      startTime: expect.any(String),
      containerStatuses: [{ name: "main", image: "busybox:1", ready: true, restartCount: 0 }],
      initContainerStatuses: [
        { name: "once", state: { terminated: { exitCode: 0 } } },
        { name: "beside", state: { running: {} } },
      ],
    });
  });

  it("lets a Deployment become available, and its pods go", async () => {
    const namespace = await testNamespace();
    const labels = { app: "web" };
    const template = { metadata: { labels }, spec: { containers } };
    await client.create(Deployment, {
      metadata: { namespace, name: "web" },
      spec: { replicas: 3, selector: { matchLabels: labels }, template },
    });
    await expect
      .poll(async () => (await client.get(Deployment, { namespace, name: "web" })).status?.availableReplicas, poll)
      .toBe(3);
    const { metadata } = await client.get(Deployment, { namespace, name: "web" });
    await client.delete(Deployment, metadata, { uid: metadata.uid, propagationPolicy: "Foreground" });
    await expect.poll(() => ignoreNotFound(client.get(Deployment, metadata)), poll).toBeUndefined();
    expect((await client.list(Pod, { namespace })).items).toEqual([]);
  });

  it("ends a pod that is being deleted at once, unless a finalizer holds it", async () => {
    const namespace = await testNamespace();
    await client.create(Pod, { metadata: { namespace, name: "free" }, spec: { containers } });
    const finalizers = ["test.trimtab.dev/hold"];
    await client.create(Pod, { metadata: { namespace, name: "held", finalizers }, spec: { containers } });
    for (const name of ["free", "held"]) {
      const { metadata } = await podThat(namespace, name, isReady);
      await client.delete(Pod, metadata, { uid: metadata.uid });
    }
    await gone(namespace, "free");
    const held = await podThat(namespace, "held", ({ metadata }) => metadata.deletionGracePeriodSeconds === 0);
    await client.removeFinalizer(Pod, held, "test.trimtab.dev/hold");
    await gone(namespace, "held");
  });

  it("leaves a pod that a test has failed as it is", async () => {
    const namespace = await testNamespace();
    await client.create(Pod, { metadata: { namespace, name: "sad" }, spec: { containers } });
    const key = { namespace, name: "sad" };
    await podThat(namespace, "sad", isReady);
    await client.mergePatch(Pod, key, { status: { phase: "Failed" } }, { subresource: "status" });
    // A pod made later has been seen later: once it runs, the stand-in has had its chance.
    await client.create(Pod, { metadata: { namespace, name: "next" }, spec: { containers } });
    await podThat(namespace, "next", isReady);
    expect((await client.get(Pod, key)).status?.phase).toBe("Failed");
  });

  it("leaves pods of other schedulers and gated pods pending", async () => {
    const namespace = await testNamespace();
    const other = { containers, schedulerName: "mine" };
    const gated = { containers, schedulingGates: [{ name: "test.trimtab.dev/wait" }] };
    await client.create(Pod, { metadata: { namespace, name: "other" }, spec: other });
    await client.create(Pod, { metadata: { namespace, name: "gated" }, spec: gated });
    await client.create(Pod, { metadata: { namespace, name: "next" }, spec: { containers } });
    await podThat(namespace, "next", isReady);
    const { items } = await client.list(Pod, { namespace, fieldSelector: "spec.nodeName=" });
    expect(items.map(({ metadata }) => metadata.name).sort()).toEqual(["gated", "other"]);
  });
});
