import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlPlane } from "@trimtab/envtest";
import type { BareClient } from "./bare-client.ts";
import { Collection } from "./collection.ts";
import { type Contender, start } from "./contender.ts";
import type { Creation, Scenario } from "./scenario.ts";

/** From the answer to the POST of a resource to its child, in milliseconds. */
export interface LiveFigures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Creates the scenario's owners one after another at a steady rate while the contender runs. */
export async function measureLive(
  scenario: Scenario,
  contender: Contender,
  controlPlane: ControlPlane,
  client: BareClient,
  options: { readonly perSecond: number; readonly logPath: string },
): Promise<LiveFigures> {
  const stop = new AbortController();
  const answered = new Map<string, number>();
  const arrived = new Map<string, number>();
  const [probe, ...rest] = scenario.owners;
  if (probe === undefined) throw new Error("a scenario needs an owner");
  let expected = 1;
  let seenAll = Promise.withResolvers<void>();
  await Collection.open(client, scenario.childrenPath, stop.signal, (child, type) => {
    const owner = child.metadata.ownerReferences?.[0]?.uid;
    if (type !== "ADDED" || owner === undefined || arrived.has(owner)) return;
    arrived.set(owner, performance.now());
    if (arrived.size >= expected) seenAll.resolve();
  });
  const running = start(contender, controlPlane.kubeconfigPath, options.logPath);
  const create = async ({ path, body }: Creation): Promise<string> => {
    const { metadata } = await client.call<{ metadata: { uid: string } }>("POST", path, body);
    answered.set(metadata.uid, performance.now());
    return metadata.uid;
  };
  const allSeen = (): Promise<void> =>
    Promise.race([
      seenAll.promise,
      sleep(60_000, undefined, { signal: stop.signal }).then(() => {
        throw new Error(
          `${contender.name} made ${arrived.size} of ${expected} children\n${readFileSync(options.logPath, "utf8").slice(-2_000)}`,
        );
      }),
    ]);
  try {
    const first = await create(probe);
    await allSeen();
    expected = scenario.owners.length;
    seenAll = Promise.withResolvers<void>();
    const begin = performance.now();
    const creations = [];
    for (const [index, owner] of rest.entries()) {
      const due = begin + (index * 1_000) / options.perSecond;
      const wait = due - performance.now();
      if (wait > 0) await sleep(wait);
      creations.push(create(owner));
    }
    await Promise.all(creations);
    if (arrived.size < expected) await allSeen();
    answered.delete(first);
    // A child may be seen before the answer to its owner's POST has been read: that is no time at all.
    const latencies = [...answered].map(([uid, at]) => Math.max(0, (arrived.get(uid) ?? Number.NaN) - at));
    latencies.sort((a, b) => a - b);
    const at = (share: number): number =>
      latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN;
    return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
  } finally {
    stop.abort();
    await running.stop();
  }
}
