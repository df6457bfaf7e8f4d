import type { StatusReport } from "@trimtab/status";
import type { MultiSecret } from "./api/v1alpha1/multisecret.ts";
import type { Outcome } from "./carry-out.ts";
import type { Refusal } from "./refusal.ts";

/** What a run has found and done. */
export interface Tally {
  /** How many namespaces are to hold a copy. */
  readonly wanted: number;
  /** How many steps were due in those. */
  readonly due: number;
  readonly outcomes: readonly Outcome[];
  /** Why there can be no copy anywhere. */
  readonly invalidity?: Refusal | undefined;
}

/** The status that a run amounts to. */
export function statusOf({ status: before }: MultiSecret, tally: Tally, now: Date): StatusReport<MultiSecret> {
  const { outcomes } = tally;
  const leaving = outcomes.filter(({ type }) => type === "leaving").length;
  const succeeded = outcomes.filter(({ type }) => type === "created" || type === "updated").length;
  const wanted = tally.wanted - leaving;
  const created = tally.wanted - tally.due + succeeded;
  const hasChanged =
    wanted !== before?.wanted || created !== before.created || outcomes.some(({ type }) => changes.has(type));
  const changeTime = hasChanged ? now.toISOString().replace(/\.\d+Z$/, "Z") : before?.change_time;
  return {
    wanted,
    created,
    ...(changeTime !== undefined && { change_time: changeTime }),
    conditions: [readiness({ wanted, created }, tally)],
  };
}

const changes: ReadonlySet<Outcome["type"]> = new Set(["created", "updated", "deleted"]);

function readiness(
  { wanted, created }: { readonly wanted: number; readonly created: number },
  { outcomes, invalidity }: Tally,
): StatusReport<MultiSecret>["conditions"][number] {
  const count = `${created} of ${wanted} namespaces hold the copy that they should`;
  const complaints = invalidity === undefined ? complaintsOf(outcomes) : [invalidity];
  const [worst] = complaints;
  if (worst !== undefined) {
    const message = [count, ...complaints.map((complaint) => complaint.message)].join("; ");
    return { type: "Ready", status: "False", reason: worst.reason, message };
  }
  return created === wanted
    ? { type: "Ready", status: "True", reason: "Synchronized", message: count }
    : { type: "Ready", status: "False", reason: "Synchronizing", message: count };
}

/** One for each kind of refusal, which names the namespaces that it is about. */
export function complaintsOf(outcomes: readonly Outcome[]): readonly Refusal[] {
  const refused = outcomes.filter((outcome) => outcome.type === "refused");
  const byReason = Map.groupBy(refused, ({ refusal }) => refusal.reason);
  return Array.from(byReason, ([reason, all]) => ({
    reason,
    message: `${inNamespaces(all.map(({ namespace }) => namespace))}: ${all[0]?.refusal.message}`,
  })).toSorted((a, b) => (a.reason < b.reason ? -1 : 1));
}

const mostNames = 5;

/** Names a few, in alphabetical order, and counts the rest. */
export function inNamespaces(namespaces: readonly string[]): string {
  const sorted = namespaces.toSorted();
  const named = sorted.slice(0, mostNames).join(", ");
  const rest = sorted.length - mostNames;
  return `in namespace${sorted.length === 1 ? "" : "s"} ${named}${rest > 0 ? ` and ${rest} more` : ""}`;
}
