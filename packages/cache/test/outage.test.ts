import { ConfigMap } from "@trimtab/apimachinery";
import { type Client, connectionFromKubeConfig } from "@trimtab/client";
import { type ControlPlane, startControlPlane } from "@trimtab/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { steadyPace } from "../src/pace.ts";
import { clientOf, createConfigMap, newNamespace, RunningInformer } from "./cluster.ts";
import { MeddlingClient } from "./meddling-client.ts";

let controlPlane: ControlPlane;

beforeAll(async () => {
  controlPlane = await startControlPlane({ controllers: [], kubelet: false });
});

afterAll(() => controlPlane.stop());

async function connect(): Promise<{ readonly client: Client; readonly namespace: string }> {
  const client = clientOf(await connectionFromKubeConfig(controlPlane.kubeConfig));
  return { client, namespace: await newNamespace(client) };
}

describe("Informer through an outage", () => {
  it("is well again within five seconds of the API server's return", async () => {
    const { client, namespace } = await connect();
    const running = new RunningInformer({ type: ConfigMap, namespaces: [namespace] }, { client });
    await running.informer.synced;
    await controlPlane.apiServer.stop();
    await running.until(() => running.health.at(-1)?.state === "failing");
    await controlPlane.apiServer.start();
    const returnedAt = performance.now();
    await running.until(() => running.health.at(-1)?.state === "alive");
    expect(performance.now() - returnedAt).toBeLessThan(5_000);
    await createConfigMap(client, namespace, "after");
    await running.until(() => running.events.includes("added after"));
  });

  it("lists again where the API server has forgotten how far it had come, and tells what it missed", async () => {
    const { client, namespace } = await connect();
    const network = new MeddlingClient(client);
    const running = new RunningInformer({ type: ConfigMap, namespaces: [namespace] }, { client: network });
    await running.informer.synced;
    await createConfigMap(client, namespace, "vanishing");
    await createConfigMap(client, namespace, "staying");
    await running.until(() => running.events.includes("added staying"));
    const release = network.hold();
    await client.delete(ConfigMap, { namespace, name: "vanishing" });
    await createConfigMap(client, namespace, "new");
    // A watch cache that begins anew knows of nothing that was before it.
    await controlPlane.apiServer.stop();
    await controlPlane.apiServer.start();
    release();
    await running.until(() => running.events.includes("deleted vanishing"));
    expect(running.events.slice(-2).toSorted()).toEqual(["added new", "deleted vanishing"]);
    const [first, resumed, listed] = network.watches;
    expect(first).toMatchObject({ sendInitialEvents: true });
    expect(resumed).not.toHaveProperty("sendInitialEvents");
    expect(listed).toMatchObject({ sendInitialEvents: true, resourceVersion: resumed?.resourceVersion });
  });

  it("notices that a watch has gone silent, and goes on with another", async () => {
    const { client, namespace } = await connect();
    const network = new MeddlingClient(client);
    const pace = { ...steadyPace, idleTimeoutMs: 1_000 };
    const running = new RunningInformer({ type: ConfigMap, namespaces: [namespace] }, { client: network, pace });
    await running.informer.synced;
    controlPlane.apiServer.pause();
    try {
      await network.whenWatches(2);
    } finally {
      controlPlane.apiServer.resume();
    }
    await createConfigMap(client, namespace, "after");
    await running.until(() => running.events.includes("added after"));
    expect(running.informer.health()).toMatchObject([{ state: "alive" }]);
  });
});
