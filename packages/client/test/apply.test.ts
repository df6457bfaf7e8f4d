import { ConfigMap, controllerReference, Deployment, keyOf, Pod, Secret } from "@trimtab/apimachinery";
import { type Applied, withMemory } from "@trimtab/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { connect, createNamespace, type TestClient } from "./cluster.ts";

let us: TestClient;
let other: TestClient;
let namespace: string;
let count = 0;
let key: { readonly namespace: string; readonly name: string };

beforeAll(async () => {
  us = await connect();
  other = await connect({ fieldManager: "other", userAgent: "other" });
  namespace = await createNamespace(us.client);
});
afterAll(() => {
  us.client.close();
  other.client.close();
});
beforeEach(() => {
  count += 1;
  key = { namespace, name: `object-${count}` };
  us.sent.length = 0;
});

const scratch = { name: "scratch", emptyDir: {} };

/** The writes among what we have sent. */
function writes(): readonly string[] {
  return us.sent.filter((request) => !request.startsWith("GET"));
}

function deployment(changes: object = {}, container: object = {}): Applied<Deployment> {
  const labels = { app: key.name };
  return {
    metadata: { ...key, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          securityContext: {},
          containers: [
            {
              name: "main",
              image: "memcached:1.6",
              args: ["-m", "64"],
              env: [
                { name: "A", value: "1" },
                { name: "B", value: "2" },
              ],
              ports: [{ containerPort: 11211, name: "memcached" }],
              resources: { requests: { cpu: "1000m", memory: "1024Ki" }, limits: { memory: "0.5Gi" } },
              ...container,
            },
          ],
        },
      },
      ...changes,
    },
  };
}

async function live(): Promise<Deployment> {
  return us.client.get(Deployment, key);
}

async function apply(desired: Applied<Deployment>): Promise<Deployment> {
  us.sent.length = 0;
  return us.client.apply(Deployment, desired);
}

/** Applying once more what was applied just now sends nothing. */
async function expectSettled(desired: Applied<Deployment>): Promise<void> {
  await apply(desired);
  expect(writes()).toEqual([]);
}

describe("apply on a cluster", () => {
  it("creates what is absent, and sends nothing while nothing differs", async () => {
    await apply(deployment());
    expect(us.sent).toEqual(["GET 404", "POST 201"]);
    await expectSettled(deployment());
  });

  it("sends nothing for the same amounts in another spelling", async () => {
    await apply(deployment());
    const resources = { requests: { cpu: 1, memory: "1Mi" }, limits: { memory: "512Mi" } };
    const spelled = deployment({}, { resources });
    await expectSettled(spelled);
  });

  it.each([
    ["a value", { replicas: 3 }, {}],
    ["an argument", {}, { args: ["-m", "128"] }],
    [
      "an item's value",
      {},
      {
        env: [
          { name: "A", value: "1" },
          { name: "B", value: "3" },
        ],
      },
    ],
    ["a port", {}, { ports: [{ containerPort: 11212, name: "memcached" }] }],
    ["an amount", {}, { resources: { requests: { cpu: "2" }, limits: { memory: "512Mi" } } }],
    ["a further field", { minReadySeconds: 5 }, {}],
    [
      "a further item",
      {},
      {
        env: [
          { name: "A", value: "1" },
          { name: "B", value: "2" },
          { name: "C", value: "3" },
        ],
      },
    ],
  ])("changes %s, and then sends nothing more", async (_, changes, container) => {
    await apply(deployment());
    const desired = deployment(changes, container);
    await apply(desired);
    expect(await live()).toMatchObject({ spec: changes });
    const [main] = (await live()).spec?.template.spec?.containers ?? [];
    expect(main).toMatchObject(container);
    await expectSettled(desired);
  });

  it("takes back a field and an item that it no longer names, though it made them with the object", async () => {
    await apply(deployment({ minReadySeconds: 5 }));
    const desired = deployment({}, { env: [{ name: "A", value: "1" }], args: undefined });
    await apply(desired);
    const { spec } = await live();
    expect(spec).not.toHaveProperty("minReadySeconds");
    expect(spec?.template.spec?.containers[0]).toMatchObject({ env: [{ name: "A", value: "1" }] });
    expect(spec?.template.spec?.containers[0]).not.toHaveProperty("args");
    await expectSettled(desired);
    const back = deployment({ minReadySeconds: 7 });
    await apply(back);
    await apply(deployment());
    expect((await live()).spec).not.toHaveProperty("minReadySeconds");
    await expectSettled(deployment());
  });

  it("sends nothing for what is empty, be it kept by the server or dropped, created or applied", async () => {
    const empty = { name: "main", image: "x", env: [{ name: "A", value: "" }], resources: {}, securityContext: {} };
    const spec = {
      nodeSelector: {},
      tolerations: [],
      affinity: {},
      hostNetwork: false,
      volumes: [scratch],
      containers: [empty],
    };
    const desired = (changes: object): Applied<Deployment> => {
      const { metadata, spec: whole } = deployment({ paused: false, strategy: {}, ...changes });
      const template = { metadata: { labels: { app: key.name }, annotations: {} }, spec };
      return { metadata, spec: { ...whole, template } } as Applied<Deployment>;
    };
    await apply(desired({}));
    await expectSettled(desired({}));
    await apply(desired({ minReadySeconds: 1 }));
    await expectSettled(desired({ minReadySeconds: 1 }));
  });

  it("sends something empty once more where others add beside it, for it may have been taken away", async () => {
    await apply(deployment({ paused: false }));
    await other.client.mergePatch(Deployment, key, { spec: { minReadySeconds: 6 } });
    await apply(deployment({ paused: false }));
    expect(writes()).toEqual(["PATCH 200"]);
    await expectSettled(deployment({ paused: false }));
    await other.client.mergePatch(Deployment, key, { spec: { revisionHistoryLimit: 6 } });
    await expectSettled(deployment({ paused: false }));
  });

  it("notices that something empty has been replaced, and says that the two do not go together", async () => {
    const { metadata, spec } = deployment();
    const template = { ...spec?.template, spec: { ...spec?.template?.spec, volumes: [scratch] } };
    const desired = { metadata, spec: { ...spec, template } } as Applied<Deployment>;
    const path = "/spec/template/spec/volumes/0";
    const replace = async (value: object): Promise<void> => {
      await other.client.patch(Deployment, key, [{ op: "replace", path, value }]);
    };
    await apply(desired);
    await replace({ name: "scratch", hostPath: { path: "/" } });
    await expect(apply(desired)).rejects.toThrow(/hostPath: Forbidden: may not specify more than 1 volume type/);
    await replace({ name: "scratch" });
    expect((await apply(desired)).spec?.template.spec?.volumes).toEqual([scratch]);
    await expectSettled(desired);
  });

  it("takes a field that it no longer names from nobody else", async () => {
    await apply(deployment({ minReadySeconds: 5 }));
    await other.client.mergePatch(Deployment, key, { spec: { minReadySeconds: 6, paused: true } });
    await apply(deployment());
    expect((await live()).spec).toMatchObject({ minReadySeconds: 6, paused: true });
    await expectSettled(deployment());
  });

  it("takes back what another manager has changed of its fields, once", async () => {
    await apply(deployment());
    await other.client.mergePatch(Deployment, key, { spec: { replicas: 9 } });
    expect((await apply(deployment())).spec?.replicas).toBe(2);
    await expectSettled(deployment());
    await other.client.patch(Deployment, key, [{ op: "replace", path: "/spec/replicas", value: 2 }]);
    await expectSettled(deployment());
  });

  it("takes back a scale by kubectl where it names replicas, and leaves it where it does not", async () => {
    const scale = (replicas: number) =>
      other.client.mergePatch(Deployment, key, { spec: { replicas } }, { subresource: "scale" });
    await apply(deployment());
    await scale(5);
    expect((await apply(deployment())).spec?.replicas).toBe(2);
    await expectSettled(deployment());
    const without = deployment({ replicas: undefined });
    await apply(without);
    await scale(4);
    await expectSettled(without);
    expect((await live()).spec?.replicas).toBe(4);
  });

  it("leaves what others add, and sends nothing for it", async () => {
    await apply(deployment());
    await other.client.mergePatch(Deployment, key, { metadata: { labels: { theirs: "x" } } });
    await expectSettled(deployment());
    expect((await live()).metadata.labels).toEqual({ app: key.name, theirs: "x" });
  });

  it("leaves an object alone that another one controls, and says whose it is", async () => {
    const [owner, stranger] = await Promise.all(
      ["owner", "stranger"].map((name) =>
        us.client.create(ConfigMap, { metadata: { namespace, generateName: `${name}-` } }),
      ),
    );
    const reference = (object: ConfigMap | undefined) => [controllerReference(object as ConfigMap)];
    await other.client.create(ConfigMap, { metadata: { ...key, ownerReferences: reference(stranger) } });
    const desired = { metadata: { ...key, ownerReferences: reference(owner) }, data: { a: "1" } };
    us.sent.length = 0;
    const error = await us.client.apply(ConfigMap, desired).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "OwnershipConflictError" });
    expect(String(error)).toContain(`is controlled by ConfigMap ${stranger?.metadata.name}`);
    expect(writes()).toEqual([]);
  });

  it("never takes over a namesake that was made since it was read", async () => {
    const first = await us.client.apply(ConfigMap, { metadata: key, data: { a: "1" } });
    await us.client.delete(ConfigMap, key, { uid: first.metadata.uid });
    const memory = { recall: () => first as never, wrote: () => undefined, deleted: () => undefined };
    const remembering = withMemory(us.client, memory);
    const again = () => remembering.apply(ConfigMap, { metadata: key, data: { a: "2" } });
    await expect(again()).rejects.toMatchObject({ reason: "Conflict" });
    await other.client.create(ConfigMap, { metadata: key, data: { a: "theirs" } });
    await expect(again()).rejects.toMatchObject({ reason: "Conflict" });
    expect((await us.client.get(ConfigMap, key)).data).toEqual({ a: "theirs" });
  });

  it("takes keys out of a ConfigMap and a Secret that it no longer names", async () => {
    await us.client.apply(ConfigMap, { metadata: key, data: { a: "1", b: "2" } });
    await us.client.apply(ConfigMap, { metadata: key, data: { b: "2" } });
    expect((await us.client.get(ConfigMap, key)).data).toEqual({ b: "2" });
    await us.client.apply(Secret, { metadata: key, type: "Opaque", data: { a: "MQ==", b: "Mg==" } });
    await us.client.apply(Secret, { metadata: key, type: "Opaque", data: { a: "MQ==" } });
    expect((await us.client.get(Secret, key)).data).toEqual({ a: "MQ==" });
    us.sent.length = 0;
    await us.client.apply(Secret, { metadata: key, type: "Opaque", data: { a: "MQ==" } });
    await us.client.apply(ConfigMap, { metadata: key, data: { b: "2" } });
    expect(writes()).toEqual([]);
  });

  it("labels a Pod that it made, whose spec may no longer change", async () => {
    const pod = (labels: Record<string, string>): Applied<Pod> => ({
      metadata: { ...key, labels },
      spec: { containers: [{ name: "main", image: "memcached:1.6" }] },
    });
    await us.client.apply(Pod, pod({ a: "1" }));
    await us.client.apply(Pod, pod({ a: "1", b: "2" }));
    expect((await us.client.apply(Pod, pod({ b: "2" }))).metadata.labels).toEqual({ b: "2" });
  });

  it("writes a status once, with the lock of the version that was read, and keeps the object's metadata", async () => {
    const made = await apply(deployment());
    await other.client.mergePatch(Deployment, key, { metadata: { annotations: { theirs: "x" } } });
    const status = { replicas: 1, conditions: [] };
    await expect(us.client.applyStatus(Deployment, made, status)).rejects.toMatchObject({ reason: "Conflict" });
    // The Deployment's own controller writes it too, for a while.
    const written = await vi.waitFor(async () => us.client.applyStatus(Deployment, await live(), status));
    expect(written.metadata.annotations).toMatchObject({ theirs: "x" });
    expect(written.metadata.labels).toEqual({ app: key.name });
    expect(keyOf(written)).toEqual(key);
  });
});
