import { Lease } from "@trimtab/apimachinery";
import { type ControlPlane, startControlPlane } from "@trimtab/envtest";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Playground, patience, type Toy } from "./toy.ts";

let controlPlane: ControlPlane;
beforeAll(async () => {
  controlPlane = await startControlPlane({ kubelet: false });
});
afterAll(() => controlPlane.stop());

let playground: Playground;
beforeEach(async () => {
  playground = await Playground.open(controlPlane.kubeconfigPath);
});
afterEach(() => playground.close());

async function isReady(toy: Toy): Promise<boolean> {
  return (await toy.probe("/readyz")).status === 200;
}

describe("an operator whose API server is away", () => {
  it("waits for it at its start", async () => {
    await playground.ask("one");
    await controlPlane.apiServer.stop();
    const toy = await playground.start({ awaitReady: false });
    await toy.said(/the API server is away/);
    expect(await isReady(toy)).toBe(false);
    expect((await toy.probe("/healthz")).status).toBe(200);
    await controlPlane.apiServer.start();
    await playground.copied("one", 5_000);
    await toy.process.whenReady();
    await toy.said(/the API server is back/);
    expect((await toy.log()).filter(({ msg }) => msg.includes("is away"))).toHaveLength(1);
  });

  it("is at work again within 5 s of its return, and has lost nothing", async () => {
    const toy = await playground.start();
    await playground.ask("one");
    await playground.copied("one");
    await controlPlane.apiServer.stop();
    await expect.poll(() => isReady(toy), patience).toBe(false);
    await controlPlane.apiServer.start();
    const backMs = performance.now();
    await playground.ask("two");
    await playground.copied("two", 5_000);
    await expect.poll(() => isReady(toy), patience).toBe(true);
    expect(performance.now() - backMs).toBeLessThan(5_000);
  });

  it("exits with 0 when it is asked to stop meanwhile", async () => {
    const toy = await playground.start();
    await controlPlane.apiServer.stop();
    const askedMs = performance.now();
    expect(await toy.process.stop()).toBe("exit code 0");
    expect(performance.now() - askedMs).toBeLessThan(5_000);
    await controlPlane.apiServer.start();
  });

  it("stops before its lease has expired for others, and exits with 1", { timeout: 60_000 }, async () => {
    const flags = ["--leader-elect", `--leader-election-namespace=${playground.namespace}`];
    const toy = await playground.start({ flags });
    await toy.said(/this process leads/);
    await controlPlane.apiServer.stop();
    expect(await toy.process.exited).toBe("exit code 1");
    expect(await toy.said(/the operator failed/)).toMatchObject({ err: { type: "LeaseLostError" } });
    await controlPlane.apiServer.start();
    const { spec } = await playground.client.get(Lease, {
      name: "toy-operator-leader",
      namespace: playground.namespace,
    });
    expect(spec?.holderIdentity).not.toBe("");
  });
});
