import { ConfigMap, CustomResourceDefinition, type KubeObject, keyOf, type ResourceType } from "@trimtab/apimachinery";
import { type Client, type Connection, loadConnection, withMemory } from "@trimtab/client";
import type {} from "@trimtab/envtest/vitest";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { createCache } from "../src/cache.ts";
import {
  clientOf,
  createConfigMap,
  forEach,
  impersonating,
  letRead,
  newNamespace,
  RunningInformer,
} from "./cluster.ts";
import { MeddlingClient } from "./meddling-client.ts";

let connection: Connection;
let client: Client;
let namespace: string;

beforeEach(async () => {
  connection = await loadConnection({ kubeconfig: inject("kubeconfigPath"), env: {} });
  client = clientOf(connection);
  namespace = await newNamespace(client);
});

describe("Informer on a real API server", () => {
  it.each([
    ["a stream", true],
    ["pages", false],
  ] as const)("holds thousands of objects, listed in %s", async (_, offersStreams) => {
    const names = Array.from({ length: 1_201 }, (_each, index) => `many-${index}`);
    await forEach(names, (name) => createConfigMap(client, namespace, name));
    const network = new MeddlingClient(client, { offersStreams });
    const { informer, events } = new RunningInformer({ type: ConfigMap, namespaces: [namespace] }, { client: network });
    await informer.synced;
    const held = informer.list({}).map(({ metadata }) => metadata.name);
    expect(held.filter((name) => name !== "kube-root-ca.crt").toSorted()).toEqual(names.toSorted());
    expect(events).toHaveLength(held.length);
    expect(network.lists).toHaveLength(offersStreams ? 0 : 3);
    expect(informer.list({})[0]).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
  });

  it("goes on after its watch was cut, and misses nothing", async () => {
    const network = new MeddlingClient(client);
    const running = new RunningInformer({ type: ConfigMap, namespaces: [namespace] }, { client: network });
    await running.informer.synced;
    await createConfigMap(client, namespace, "before");
    await running.until(() => running.events.includes("added before"));
    const release = network.hold();
    await createConfigMap(client, namespace, "meanwhile");
    await client.delete(ConfigMap, { namespace, name: "before" });
    release();
    await running.until(() => running.events.includes("deleted before"));
    expect(running.events).toContain("added meanwhile");
    expect(network.watches.map((watch) => watch.sendInitialEvents)).toEqual([true, undefined]);
  });

  it("says that a kind is missing, and watches it once it is there", async () => {
    const group = `${namespace}.example.com`;
    const Widget: ResourceType = { group, version: "v1", kind: "Widget", plural: "widgets", scope: "Namespaced" };
    const running = new RunningInformer({ type: Widget }, { client });
    await running.until(() => running.health.length > 0);
    expect(running.health[0]).toMatchObject({ state: "failing", synced: false, error: { reason: "NotFound" } });
    await client.create(CustomResourceDefinition, {
      metadata: { name: `widgets.${group}` },
      spec: {
        group,
        names: { kind: "Widget", plural: "widgets" },
        scope: "Namespaced",
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    await running.informer.synced;
    expect(running.informer.health()).toMatchObject([{ state: "alive", synced: true }]);
  });

  it("says that it may not list, and does once it may", async () => {
    const running = new RunningInformer(
      { type: ConfigMap, namespaces: [namespace] },
      { client: clientOf(impersonating(namespace, connection)) },
    );
    await running.until(() => running.health.length > 0);
    expect(running.health[0]).toMatchObject({ state: "failing", namespace, error: { reason: "Forbidden" } });
    await letRead(client, namespace, namespace);
    await running.informer.synced;
    expect(running.informer.health()).toMatchObject([{ state: "alive", synced: true }]);
  });
});

describe("Cache on a real API server", () => {
  it("reads each own write at once, and is as the server in the end", async () => {
    const cache = createCache({
      client,
      fieldManager: "test",
      freeze: true,
      informers: [{ type: ConfigMap, namespaces: [namespace] }],
    });
    const stop = new AbortController();
    const running = cache.run(stop.signal);
    await cache.whenSynced([ConfigMap], stop.signal);
    const writer = withMemory(client, cache.memory);
    await forEach(
      Array.from({ length: 100 }, (_, index) => `own-${index}`),
      async (name) => {
        const created = await createConfigMap(writer, namespace, name);
        const key = keyOf(created);
        expect(cache.reader.get(ConfigMap, key)?.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
        const patched = await writer.mergePatch(ConfigMap, key, { data: { content: "new" } });
        expect(cache.reader.get(ConfigMap, key)?.data).toEqual({ content: "new" });
        expect(cache.reader.list(ConfigMap)).toContainEqual(expect.objectContaining({ data: patched.data }));
        await writer.delete(ConfigMap, key, { uid: created.metadata.uid });
        expect(cache.reader.get(ConfigMap, key)).toBeUndefined();
        if (name.endsWith("0")) await createConfigMap(writer, namespace, name);
      },
    );
    const { items } = await client.list(ConfigMap, { namespace });
    const versions = (objects: readonly KubeObject[]): unknown =>
      objects.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).toSorted();
    expect(versions(cache.reader.list(ConfigMap))).toEqual(versions(items));
    stop.abort();
    await running;
  });
});
