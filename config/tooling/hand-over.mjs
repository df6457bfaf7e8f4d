import { spawn } from "node:child_process";
import { delimiter, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

/** The Node that pnpm has installed. */
export const node = "node_modules/node/bin/node";

/** One Ctrl-C reaches this process twice: from the terminal, and from the npm that runs it. */
const sameSignalMs = 300;

/**
 * Runs Node 24 in this process's place: same terminal, signals passed on, same exit code.
 *
 * It runs in a session of its own, so that a Ctrl-C comes to it once, from here; and it ends when this process does, killed or not.
 */
export async function handOver(args) {
  const preload = pathToFileURL(resolve("config/tooling/end-with-parent.mjs"));
  const path = `${resolve("node_modules/.bin")}${delimiter}${process.env.PATH ?? ""}`;
  const child = spawn(node, [`--import=${preload}`, ...args], {
    // Without it, compiled code would stay behind in the temporary folder.
    env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: resolve("node_modules/.trimtab/compiled") },
    detached: true,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  passSignals(child);
  const watch = endWithParent(child);
  const { code, signal } = await new Promise((done, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => done({ code, signal }));
  });
  clearInterval(watch);
  process.exitCode = code ?? 1;
  if (signal !== null) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
}

function passSignals(child) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    let last = Number.NEGATIVE_INFINITY;
    process.on(signal, () => {
      const now = performance.now();
      if (now - last > sameSignalMs) child.kill(signal);
      last = now;
    });
  }
}

/** Nothing tells a process that its parent was killed, but for the number of its parent. */
function endWithParent(child) {
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM");
  }, 500);
}
