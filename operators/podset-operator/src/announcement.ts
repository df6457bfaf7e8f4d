import type { Pod } from "@trimtab/apimachinery";
import type { ReconcileContext } from "@trimtab/controller";
import { hasEnded } from "./pod-state.ts";

type Recorder = ReconcileContext<never>["recorder"];

/** Says which pods a run has made and which it has deleted, in one Event of a kind. */
export function announce(
  { created, deleted }: { readonly created: readonly Pod[]; readonly deleted: readonly Pod[] },
  recorder: Recorder,
): void {
  if (created.length > 0) recorder.normal("Created", `created ${listOf(created)}`);
  const ended = deleted.filter(hasEnded);
  const victims = deleted.filter((pod) => !hasEnded(pod));
  if (victims.length > 0) recorder.normal("Deleted", `deleted ${listOf(victims)}, of which there were too many`);
  for (const pod of ended) recorder.warning("PodEnded", `${obituary(pod)}; it is deleted`);
}

function listOf(pods: readonly Pod[]): string {
  const names = pods.map(({ metadata }) => metadata.name).sort();
  return names.length === 1 ? `pod ${names[0]}` : `${names.length} pods: ${names.join(", ")}`;
}

/** What the pod itself says of its end: it will not be there to be asked. */
function obituary({ metadata, status: { phase, reason, message } = {} }: Pod): string {
  const why = [reason, message].filter((text) => text !== undefined).join(": ");
  return `pod ${metadata.name} has ${phase?.toLowerCase()}${why === "" ? "" : ` (${why})`}`;
}
