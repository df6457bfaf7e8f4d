import { Lease } from "@trimtab/apimachinery";
import { describe, expect } from "vitest";
import { it, type Playground, patience, type Toy } from "./toy.ts";

const leaseName = "toy-operator-leader";

async function startReplica(playground: Playground): Promise<Toy> {
  const flags = ["--leader-elect", `--leader-election-namespace=${playground.namespace}`, "--log-level=debug"];
  return playground.start({ flags });
}

async function takeLease({ client, namespace }: Playground): Promise<void> {
  await client.mergePatch(Lease, { name: leaseName, namespace }, { spec: { holderIdentity: "somebody else" } });
}

describe("two replicas of an operator", () => {
  it("have one leader; the standby is ready, and takes over as soon as the leader has stopped", async ({
    playground,
  }) => {
    const first = await startReplica(playground);
    await first.said(/this process leads/);
    const second = await startReplica(playground);
    await second.said(/another process leads/);
    expect((await second.probe("/readyz?verbose")).body).toContain("[+]lease ok\n");
    await playground.ask("one");
    await playground.copied("one");
    expect((await second.log()).filter(({ controller }) => controller !== undefined)).toEqual([]);

    await playground.ask("slow", "takeTwoSeconds");
    await first.said(/^begins$/);
    expect(await first.process.stop()).toBe("exit code 0");
    const releasedMs = Date.now();
    const took = Date.parse((await second.said(/this process leads/)).time);
    // Not before the reconcile under way had ended, and not later than it asks: every 2 s, by 2.2 times that at most.
    expect(took).toBeGreaterThanOrEqual(Date.parse((await first.said(/^ends$/)).time));
    expect(took - releasedMs).toBeLessThan(5_000);
    await playground.ask("two");
    await playground.copied("two");
    const { spec } = await playground.client.get(Lease, { name: leaseName, namespace: playground.namespace });
    expect(spec).toMatchObject({ leaseDurationSeconds: 15, leaseTransitions: 1 });
  });

  it("change over when the leader is killed, once its lease has expired", async ({ playground }) => {
    const first = await startReplica(playground);
    await first.said(/this process leads/);
    const second = await startReplica(playground);
    await second.said(/another process leads/);
    await first.process.kill();
    await playground.ask("orphan");
    await second.said(/this process leads/, 30_000);
    await playground.copied("orphan");
  });

  it("release the lease on exit, for whoever comes next", async ({ playground }) => {
    const first = await startReplica(playground);
    await first.said(/this process leads/);
    expect(await first.process.stop()).toBe("exit code 0");
    const { spec } = await playground.client.get(Lease, { name: leaseName, namespace: playground.namespace });
    expect(spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
    expect(spec?.renewTime).toMatch(/\.\d{6}Z$/);
  });

  it("never write both: the leader whose lease is taken writes nothing more, and exits with 1", async ({
    playground,
  }) => {
    const toy = await startReplica(playground);
    await toy.said(/this process leads/);
    await takeLease(playground);
    expect(await toy.process.exited).toBe("exit code 1");
    expect(await toy.said(/the operator failed/)).toMatchObject({
      err: { type: "LeaseLostError", message: expect.stringContaining("somebody else holds it") },
    });
    await playground.ask("late");
    await expect
      .poll(
        async () => (await playground.client.get(Lease, { name: leaseName, namespace: playground.namespace })).spec,
        patience,
      )
      .toMatchObject({ holderIdentity: "somebody else" });
  });

  it.for([
    ["untilAborted", /^is aborted$/],
    ["neverEnd", /^the operator failed$/],
  ] as const)(
    "do not finish their work when the lease is lost meanwhile, and exit with 1: %s",
    async ([trick, line], { playground }) => {
      const toy = await startReplica(playground);
      await toy.said(/this process leads/);
      await playground.ask("slow", trick);
      await toy.said(/^begins$/);
      process.kill(toy.process.pid, "SIGTERM");
      await toy.said(/^stopping/);
      await takeLease(playground);
      const takenMs = performance.now();
      expect(await toy.process.exited).toBe("exit code 1");
      // It sees that within 2 s, and waits no longer than 4 s for what does not end.
      expect(performance.now() - takenMs).toBeLessThan(8_000);
      await toy.said(line);
    },
  );
});
