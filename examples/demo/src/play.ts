import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@trimtab/client";
import { showStep } from "@trimtab/tooling/step";
import type { Kubectl } from "./kubectl.ts";
import { showCommand, showFile, showOutput, showTable, showTitle } from "./screen.ts";
import { type Act, type Step, stageNamespace } from "./story.ts";

/** What a story is played on. */
export interface Stage {
  readonly client: Client;
  readonly kubectl: Kubectl;
  /** How long a step may take until its claim holds. */
  readonly stepTimeoutMs: number;
}

/** How often is looked whether a claim holds. */
const lookEveryMs = 25;

/** Plays the steps one after the other; rejects with the first that does not hold. */
export async function play<View>(act: Act<View>, stage: Stage, signal: AbortSignal): Promise<void> {
  showTitle(act.title);
  await showFile(act.sample);
  for (const step of act.steps) await playStep(act, step, stage, signal);
}

async function playStep<View>(act: Act<View>, step: Step<View>, stage: Stage, signal: AbortSignal): Promise<void> {
  const before = await act.look(stage.client, signal);
  const args = inNamespace(step.command(before));
  showCommand(args);
  const output = await showStep(step.claim, async (progress) => {
    const result = await stage.kubectl(args, signal);
    if (result.ok === (step.refused ?? false))
      throw new Error(`kubectl was ${result.ok ? "not refused" : "refused"}: ${result.output}`);
    await untilHolds(act, step, before, stage, { signal, progress });
    return result.output;
  });
  showOutput(output);
  for (const shown of step.show ?? []) {
    const table = await stage.kubectl(inNamespace(["get", ...shown]), signal);
    showTable(table.output);
  }
}

interface Waiting {
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
}

async function untilHolds<View>(
  act: Act<View>,
  step: Step<View>,
  before: View,
  { client, stepTimeoutMs }: Stage,
  { signal, progress }: Waiting,
): Promise<void> {
  const deadline = performance.now() + stepTimeoutMs;
  for (;;) {
    const lacking = step.lacks(await act.look(client, signal), before);
    if (lacking === undefined) return;
    if (performance.now() > deadline) throw new Error(`not within ${stepTimeoutMs / 1000} s: ${lacking}`);
    progress(lacking);
    await sleep(lookEveryMs, undefined, { signal });
  }
}

function inNamespace(args: readonly string[]): readonly string[] {
  return args.includes("-n") || args.includes("-A") ? args : ["-n", stageNamespace, ...args];
}
