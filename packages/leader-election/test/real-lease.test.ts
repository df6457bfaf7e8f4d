import { Lease } from "@trimtab/apimachinery";
import { type Client, createClient, loadConnection } from "@trimtab/client";
import { testNamespace } from "@trimtab/envtest/vitest";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { LeaderElector } from "../src/index.ts";

describe("a Lease on an API server", () => {
  let client: Client;
  let namespace: string;
  beforeAll(async () => {
    namespace = await testNamespace("election");
    const connection = await loadConnection({ kubeconfig: inject("kubeconfigPath"), env: {} });
    client = createClient({ connection, userAgent: "election-test", fieldManager: "election-test" });
  });
  afterAll(() => client.close());

  function elector(identity: string): LeaderElector {
    const times = { leaseDuration: "3s", renewDeadline: "2s", retryPeriod: "100ms" } as const;
    return new LeaderElector({ client, namespace, leaseName: "lease", identity, ...times });
  }

  it("is held by one at a time, and passed on from each to the next", async () => {
    let leaders = 0;
    const led: string[] = [];
    const candidates = ["a", "b", "c", "d"].map(async (identity) => {
      const stop = new AbortController();
      await elector(identity).run(stop.signal, async () => {
        leaders += 1;
        expect(leaders).toBe(1);
        led.push(identity);
        await new Promise((resolve) => setTimeout(resolve, 250));
        leaders -= 1;
      });
    });
    await Promise.all(candidates);
    expect(led.sort()).toEqual(["a", "b", "c", "d"]);
    const { spec } = await client.get(Lease, { namespace, name: "lease" });
    expect(spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 3 });
  });
});
