/**
 * From a fresh clone to a running program, with nothing but Node 20 and npm: `node bootstrap.mjs COMMAND [arguments]`.
 *
 * Brings what is missing (pnpm through npx, the dependencies, Node 24 among them, and the operators' bundles), then hands
 * over to Node 24. This file and those that it imports are plain JavaScript, because Node 20 reads them.
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { handOver } from "./hand-over.mjs";
import { install } from "./install.mjs";
import { showStep } from "./step.mjs";

const fromSource = ["--conditions=@trimtab/source", "--disable-warning=ExperimentalWarning"];
/** What takes no built operators starts without them. */
const unbuilt = ["check", "cluster"];
const programs = {
  bench: [...fromSource, "bench/src/main.ts"],
  check: ["config/tooling/check.mjs"],
  cluster: [...fromSource, "packages/envtest/src/main.ts"],
  demo: [...fromSource, "examples/demo/src/main.ts"],
  e2e: [...fromSource, "e2e/src/main.ts"],
  image: [...fromSource, "config/image/src/main.ts"],
  test: ["node_modules/vitest/vitest.mjs", "run"],
};

const [, , command = "", ...args] = process.argv;
process.chdir(fileURLToPath(new URL("../../", import.meta.url)));

const program = Object.hasOwn(programs, command) ? programs[command] : undefined;
if (program === undefined) fail(`unknown command "${command}": one of ${Object.keys(programs).join(", ")}`, 2);
if (Number(process.versions.node.split(".")[0]) < 20)
  fail(`Node ${process.versions.node} is too old: install Node 20 or later, then run the same command again`, 2);

const stop = new AbortController();
const onSignal = (signal) => stop.abort(signal);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, onSignal);
try {
  await showStep("dependencies", (progress) => install({ progress, signal: stop.signal }));
  if (!unbuilt.includes(command)) await showStep("operators built", () => build({ signal: stop.signal }));
} catch (error) {
  if (!stop.signal.aborted) fail(error.message, 1);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, onSignal);
if (stop.signal.aborted) process.kill(process.pid, stop.signal.reason);
else await handOver([...program, ...args]);

function fail(message, code) {
  console.error(`\n${message}`);
  process.exit(code);
}
