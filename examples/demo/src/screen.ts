import { readFile } from "node:fs/promises";
import { formatElapsed, paint } from "@trimtab/tooling/step";
import type { Cluster } from "./cluster.ts";
import { stageNamespace } from "./story.ts";

const width = 80;
const indent = "    ";

export function showTitle(title: string): void {
  console.log(`\n${paint("bold", title)}`);
}

/** The sample, as a user would write it. */
export async function showFile(path: string): Promise<void> {
  console.log(paint("dim", `\n${indent}# ${path}`));
  showDim((await readFile(path, "utf8")).trimEnd().split("\n"));
}

/** A command as one could type it, broken between words where it does not fit into a line. */
export function showCommand(args: readonly string[]): void {
  const room = width - "$ ".length - " \\".length;
  const lines = ["kubectl"];
  for (const word of args.map(quoted)) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= room) lines[lines.length - 1] = line;
    else lines.push(`${indent.slice(2)}${word}`);
  }
  console.log(`\n${paint("cyan", "$")} ${paint("bold", lines.join(" \\\n  "))}`);
}

/** What a program said in sentences: long lines go on in the next. */
export function showOutput(text: string): void {
  showDim(text.split("\n").flatMap(wrap));
}

/** What a program laid out in columns: long lines are cut. */
export function showTable(text: string): void {
  showDim(
    text
      .split("\n")
      .map((line) => (line.length > width - indent.length ? `${line.slice(0, width - indent.length - 1)}…` : line)),
  );
}

/** What went wrong, and what else is known of it. */
export function showFailure(error: unknown, report?: string): void {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    console.log(`${indent}${paint("red", cause.message)}`);
  if (report !== undefined) showOutput(report);
}

/** @param held whether each act did */
export function showVerdict(held: readonly boolean[], elapsedMs: number): void {
  const failed = held.filter((did) => !did).length;
  const verdict =
    failed === 0 ? paint("green", "Every step held") : paint("red", `${failed} of ${held.length} stories broke off`);
  console.log(`\n${verdict}, in ${formatElapsed(elapsedMs)}.`);
}

/** How to go on by hand. */
export function showHints({ kubeconfigPath, kubectl, shared }: Cluster, sample: string): void {
  const alias = shared ? [] : [`alias kubectl=${kubectl.join(" ")}`];
  const apply = `kubectl -n ${stageNamespace} apply \\\n    -f ${sample}`;
  const watch = `kubectl -n ${stageNamespace} get pods --watch`;
  console.log(
    `\nThe ${shared ? "operators run" : "control plane and the operators run"} until Ctrl-C. In another terminal:\n`,
  );
  for (const line of [`export KUBECONFIG=${kubeconfigPath}`, ...alias, apply, watch]) console.log(`  ${line}`);
}

function showDim(lines: readonly string[]): void {
  for (const line of lines) console.log(line === "" ? "" : paint("dim", `${indent}${line}`));
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function wrap(line: string): readonly string[] {
  const room = width - indent.length;
  if (line.length <= room) return [line];
  const space = line.lastIndexOf(" ", room);
  const end = space > 0 ? space : room;
  return [line.slice(0, end), ...wrap(line.slice(end).trimStart())];
}
