import { ConfigMap, isDeleting, keyOf, Namespace } from "@trimtab/apimachinery";
import { type Client, createClient, ignoreNotFound, isApiError, loadConnection } from "@trimtab/client";
import { done, type Reconcile, type ReconcileContext } from "@trimtab/controller";
import type {} from "@trimtab/envtest/vitest";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { withFinalizer } from "../src/index.ts";

const finalizer = "example.com/backups";
let client: Client;
let namespace: string;
let steps: string[];
let object: ConfigMap;

beforeAll(async () => {
  const connection = await loadConnection({ kubeconfig: inject("kubeconfigPath"), env: {} });
  client = createClient({ connection, userAgent: "test", fieldManager: "test" });
  namespace = (await client.create(Namespace, { metadata: { generateName: "finalizer-" } })).metadata.name;
});
afterAll(() => client.close());

beforeEach(async () => {
  steps = [];
  object = await client.create(ConfigMap, { metadata: { namespace, generateName: "object-" } });
});

/** Finalizers as the API server has them; `undefined` if the object is gone. */
async function finalizers(): Promise<readonly string[] | undefined> {
  const live = await ignoreNotFound(client.get(ConfigMap, keyOf(object)));
  return live && (live.metadata.finalizers ?? []);
}

const reconcile: Reconcile<ConfigMap> = withFinalizer<ConfigMap, ConfigMap>(ConfigMap, finalizer, {
  apply: async () => {
    steps.push(`apply under ${await finalizers()}`);
    return done();
  },
  cleanup: async () => {
    steps.push(`clean up under ${await finalizers()}`);
    return done();
  },
});

async function run(read: ConfigMap): Promise<void> {
  await reconcile(read, { client } as unknown as ReconcileContext<ConfigMap>);
}

async function deleted(): Promise<ConfigMap> {
  await client.delete(ConfigMap, keyOf(object), { uid: object.metadata.uid });
  const live = await client.get(ConfigMap, keyOf(object));
  expect(isDeleting(live)).toBe(true);
  return live;
}

describe("withFinalizer on a cluster", () => {
  it("holds an object from before the first apply until its cleanup is through", async () => {
    await run(object);
    await run(await deleted());
    expect(steps).toEqual([`apply under ${finalizer}`, `clean up under ${finalizer}`]);
    expect(await finalizers()).toBeUndefined();
  });

  it("takes off its own finalizer and leaves those of others, whatever happened since the object was read", async () => {
    await run(object);
    const patch = [{ op: "add", path: "/metadata/finalizers/0", value: "example.org/other" }] as const;
    await client.patch(ConfigMap, keyOf(object), patch);
    const read = await deleted();
    await client.patch(ConfigMap, keyOf(object), [{ op: "remove", path: "/metadata/finalizers/0" }]);
    await run(read);
    expect(await finalizers()).toBeUndefined();
  });

  it("does not touch the finalizers of others", async () => {
    await client.mergePatch(ConfigMap, keyOf(object), { metadata: { finalizers: ["example.org/other"] } });
    await run(await client.get(ConfigMap, keyOf(object)));
    expect(await finalizers()).toEqual(["example.org/other", finalizer]);
    await run(await deleted());
    expect(await finalizers()).toEqual(["example.org/other"]);
    await client.mergePatch(ConfigMap, keyOf(object), { metadata: { finalizers: null } });
  });

  it("puts nothing on an object that is being deleted already", async () => {
    await client.mergePatch(ConfigMap, keyOf(object), { metadata: { finalizers: ["example.org/other"] } });
    await run(await deleted());
    expect(steps).toEqual([]);
    expect(await finalizers()).toEqual(["example.org/other"]);
    await client.mergePatch(ConfigMap, keyOf(object), { metadata: { finalizers: null } });
  });

  it("is in conflict, and applies nothing, where the object has changed since it was read", async () => {
    await client.mergePatch(ConfigMap, keyOf(object), { data: { changed: "yes" } });
    const error = await run(object).catch((thrown: unknown) => thrown);
    expect(isApiError(error, "Conflict")).toBe(true);
    expect(steps).toEqual([]);
  });

  it("takes an object that is gone for cleaned up", async () => {
    await run(object);
    const read = await deleted();
    await client.mergePatch(ConfigMap, keyOf(object), { metadata: { finalizers: null } });
    await expect(run(read)).resolves.toBeUndefined();
  });
});
