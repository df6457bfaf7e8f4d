import { ConfigMap, type KubeObject, type ObjectMeta, type ResourceType } from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";
import { done, type Reconcile, type ReconcileContext, requeueAfter } from "@trimtab/controller";
import { describe, expect, it } from "vitest";
import { withFinalizer } from "./finalizer.ts";

const finalizer = "example.com/backups";

function configMap(metadata: Partial<ObjectMeta> = {}): ConfigMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      namespace: "default",
      name: "a",
      uid: "u",
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...metadata,
    },
  };
}

/** What happened, in order. */
function run(object: ConfigMap, cleanup: Reconcile<ConfigMap> = async () => done()) {
  const steps: string[] = [];
  const client: Pick<Client, "addFinalizer" | "removeFinalizer"> = {
    async addFinalizer<T extends KubeObject>(_: ResourceType<T>, to: T, name: string): Promise<T> {
      steps.push(`add ${name}`);
      return { ...to, metadata: { ...to.metadata, resourceVersion: "2", finalizers: [name] } };
    },
    async removeFinalizer(_type, _object, name) {
      steps.push(`remove ${name}`);
    },
  };
  const reconcile = withFinalizer<ConfigMap, ConfigMap>(ConfigMap, finalizer, {
    apply: async ({ metadata }) => {
      steps.push(`apply version ${metadata.resourceVersion} holding ${metadata.finalizers}`);
      return done();
    },
    cleanup: async (deleted, context) => {
      steps.push("clean up");
      return cleanup(deleted, context);
    },
  });
  const context = { client } as unknown as ReconcileContext<ConfigMap>;
  return { steps, result: reconcile(object, context) };
}

const deletionTimestamp = "2026-01-01T00:00:00Z";

describe("withFinalizer", () => {
  it("puts the finalizer on before it applies, and applies to the object that holds it", async () => {
    const { steps, result } = run(configMap());
    expect(await result).toEqual(done());
    expect(steps).toEqual([`add ${finalizer}`, `apply version 2 holding ${finalizer}`]);
  });

  it("applies at once to an object that holds the finalizer already", async () => {
    const { steps, result } = run(configMap({ finalizers: ["other.io/x", finalizer] }));
    await result;
    expect(steps).toEqual([`apply version 1 holding other.io/x,${finalizer}`]);
  });

  it("cleans up an object that is being deleted, and takes the finalizer off last", async () => {
    const { steps, result } = run(configMap({ deletionTimestamp, finalizers: [finalizer] }));
    expect(await result).toEqual(done());
    expect(steps).toEqual(["clean up", `remove ${finalizer}`]);
  });

  it("keeps the finalizer on while the cleanup is not through", async () => {
    const { steps, result } = run(configMap({ deletionTimestamp, finalizers: [finalizer] }), async () =>
      requeueAfter("1s"),
    );
    expect(await result).toEqual(requeueAfter("1s"));
    expect(steps).toEqual(["clean up"]);
  });

  it("keeps the finalizer on when the cleanup fails", async () => {
    const { steps, result } = run(configMap({ deletionTimestamp, finalizers: [finalizer] }), async () => {
      throw new Error("the bucket does not answer");
    });
    await expect(result).rejects.toThrow("the bucket does not answer");
    expect(steps).toEqual(["clean up"]);
  });

  it("leaves an object alone that is being deleted and does not hold the finalizer", async () => {
    const { steps, result } = run(configMap({ deletionTimestamp, finalizers: ["foregroundDeletion"] }));
    expect(await result).toEqual(done());
    expect(steps).toEqual([]);
  });

  it.each(["backups", "backups/x", "example.com/", "/backups", "a.b/c/d"])("refuses the finalizer %j", (name) => {
    const steps = { apply: async () => done(), cleanup: async () => done() };
    expect(() => withFinalizer(ConfigMap, name, steps)).toThrow("must be qualified by a domain");
  });
});
