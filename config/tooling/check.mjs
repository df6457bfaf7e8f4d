/**
 * What a machine can check of the sources, tests apart: `node check.mjs [--report FILE]`, which gets the outcome as JSON.
 * Every check runs, whatever the others say; the exit code is 1 if one fails.
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { lintWorkflows } from "./lint-workflows.mjs";
import { run } from "./run.mjs";
import { showStep } from "./step.mjs";
import { turbo } from "./turbo.mjs";

const bin = (name) => `node_modules/.bin/${name}`;
const checks = [
  {
    name: "format and lint",
    check: (options) => run([bin("biome"), "check", "--error-on-warnings", "."], options),
    advice: "`pnpm format` mends what a machine can.",
  },
  { name: "types", check: (options) => turbo("typecheck", options), advice: "`pnpm typecheck` shows them again." },
  { name: "build", check: (options) => turbo("build", options), advice: "`pnpm build` shows it again." },
  {
    name: "floors: imports go down only, and are declared",
    check: (options) => run([bin("turbo"), "boundaries"], options),
    advice: "ARCHITECTURE.md says which package may import which.",
  },
  {
    name: "generated manifests are what their types say",
    check: (options) => turbo("generate", options, ["--", "--check"]),
    advice: "`pnpm generate` writes them.",
  },
  { name: "workflows, as far as they can be checked without running them", check: lintWorkflows },
];

const { values } = parseArgs({ options: { report: { type: "string" } } });
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop.abort(signal));
const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" };
const failed = [];

for (const { name, check, advice } of checks) {
  if (stop.signal.aborted) break;
  try {
    await showStep(name, (progress) => check({ progress, env, signal: stop.signal, advice }));
  } catch (error) {
    failed.push(name);
    console.error(error.message);
  }
}
if (values.report !== undefined)
  writeFileSync(values.report, JSON.stringify({ passed: checks.length - failed.length, failed: failed.length }));
if (stop.signal.aborted || failed.length > 0) process.exitCode = 1;
