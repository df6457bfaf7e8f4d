import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuditEvent, ControlPlane } from "@trimtab/envtest";
import type { BareClient } from "./bare-client.ts";
import { Collection } from "./collection.ts";
import { type Contender, start } from "./contender.ts";
import { sampleProcess } from "./process-sample.ts";
import type { Scenario } from "./scenario.ts";

/** What one run of an operator over resources that exist already has cost. */
export interface StartFigures {
  readonly convergedSeconds: number;
  readonly cpuSeconds: number;
  readonly peakRssMb: number;
  readonly settledRssMb: number;
  /** From exec to the first write's arrival at the API server. */
  readonly firstWriteSeconds: number;
  readonly requests: number;
  /** Of these, Events: told apart because they are no part of converging. */
  readonly events: number;
  /** Writes that the API server took and that changed nothing. */
  readonly noOpWrites: number;
  readonly byVerb: Readonly<Record<string, number>>;
}

/** V8 gives back what a burst took once nothing has happened for 8 s (`--gc-memory-reducer-start-delay-ms`). */
const settleMs = 12_000;
const writes: ReadonlySet<string> = new Set(["create", "update", "patch", "delete"]);

/** Starts the contender and waits until all owners have their children and say so. */
export async function measureStart(
  scenario: Scenario,
  contender: Contender,
  controlPlane: ControlPlane,
  client: BareClient,
  logPath: string,
): Promise<StartFigures> {
  const stop = new AbortController();
  const converged = Promise.withResolvers<number>();
  const reported = new Set<string>();
  const childrenBefore = new Set<string>();
  const check = (): void => {
    const made = children.objects.size - childrenBefore.size;
    if (made >= scenario.owners.length * scenario.childrenOfOne && reported.size >= scenario.owners.length)
      converged.resolve(Date.now());
  };
  const children: Collection = await Collection.open(client, scenario.childrenPath, stop.signal, check);
  for (const uid of children.objects.keys()) childrenBefore.add(uid);
  const owners = await Collection.open(client, scenario.ownersPath, stop.signal, (owner) => {
    if (scenario.reported(owner)) reported.add(owner.metadata.uid);
    check();
  });
  const running = start(contender, controlPlane.kubeconfigPath, logPath);
  try {
    const end = await Promise.race([
      converged.promise,
      sleep(120_000, undefined, { signal: stop.signal }).then(() => {
        throw new Error(
          `${contender.name} has not converged in 120 s: ${reported.size} reported\n${readFileSync(logPath, "utf8").slice(-2_000)}`,
        );
      }),
    ]);
    await sleep(settleMs);
    const sample = sampleProcess(running.pid);
    const audit = (await controlPlane.auditEvents()).filter(
      ({ userAgent, requestReceivedTimestamp }) =>
        userAgent?.startsWith(contender.userAgent) === true &&
        Date.parse(requestReceivedTimestamp) >= running.startedAt,
    );
    return {
      convergedSeconds: (end - running.startedAt) / 1_000,
      cpuSeconds: sample.cpuSeconds,
      peakRssMb: sample.peakRssMb,
      settledRssMb: sample.rssMb,
      ...requestFigures(audit, running.startedAt, owners.changes + children.changes),
    };
  } finally {
    stop.abort();
    await running.stop();
  }
}

function requestFigures(
  audit: readonly AuditEvent[],
  startedAt: number,
  changes: number,
): Pick<StartFigures, "byVerb" | "events" | "firstWriteSeconds" | "noOpWrites" | "requests"> {
  const events = audit.filter(({ objectRef }) => objectRef?.resource === "events");
  const others = audit.filter(({ objectRef }) => objectRef?.resource !== "events");
  const written = others.filter(({ verb, responseStatus }) => writes.has(verb) && (responseStatus?.code ?? 500) < 300);
  const first = Math.min(...written.map(({ requestReceivedTimestamp }) => Date.parse(requestReceivedTimestamp)));
  const byVerb: Record<string, number> = {};
  for (const { verb } of others) byVerb[verb] = (byVerb[verb] ?? 0) + 1;
  return {
    firstWriteSeconds: (first - startedAt) / 1_000,
    requests: others.length,
    events: events.length,
    noOpWrites: written.length - changes,
    byVerb,
  };
}
