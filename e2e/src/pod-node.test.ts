import type { Pod } from "@trimtab/apimachinery";
import type { Client, DeleteOptions } from "@trimtab/client";
import { describe, expect, it } from "vitest";
import { PodNode, schedulerName } from "./pod-node.ts";

const deleted: Pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    ...{ name: "manager-1", namespace: "system", uid: "u-1", resourceVersion: "7" },
    ...{ creationTimestamp: "2026-11-20T09:00:00Z", deletionTimestamp: "2026-11-20T10:00:00Z" },
  },
  spec: { schedulerName, containers: [{ name: "manager" }] },
};

/** An API server that lists a pod, and tells of it once more before it is stopped. */
function serverOf(pod: Pod, stop: AbortController) {
  const deletions: (DeleteOptions | undefined)[] = [];
  const client: Pick<Client, "delete"> & Record<"list" | "watch", unknown> = {
    list: async () => ({ items: [pod], resourceVersion: "7" }),
    watch: async function* () {
      yield { type: "MODIFIED", object: pod };
      stop.abort();
    },
    delete: async (_type, _key, options) => void deletions.push(options),
  };
  return { client: client as unknown as Client, deletions };
}

describe("PodNode", () => {
  it("never starts a pod that it first sees while it is being deleted, and lets it go", async () => {
    const stop = new AbortController();
    const { client, deletions } = serverOf(deleted, stop);
    const started: string[] = [];
    const start = async ({ metadata }: Pod): Promise<never> => {
      started.push(metadata.name);
      throw new Error("nothing runs here");
    };
    const node = new PodNode({ client, start });
    await node.run(stop.signal);
    expect(started).toEqual([]);
    expect(deletions).toEqual([{ gracePeriodSeconds: 0, uid: "u-1" }]);
    expect(node.failures).toEqual([]);
  });
});
