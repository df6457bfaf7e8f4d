import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { KeeperMessage, KeeperRequest } from "./keeper-protocol.ts";

/**
 * A process of its own that starts a control plane's programs and outlives whoever asked for them, for as long as
 * it takes to end the programs and remove their folder. It is the parent of each, and the maker of the folder: so there is
 * no moment at which something exists that nobody would clear away. The end of its IPC channel tells it that its own
 * parent has ended, however that came about.
 */
const [, , temporaryFolder = ""] = process.argv;
const directory = mkdtempSync(join(temporaryFolder, "trimtab-control-plane-"));
const running = new Map<number, ChildProcess>();
let ending = false;

process.on("message", (request: KeeperRequest) => {
  if (request.type === "end") end();
  else start(request);
});
process.on("disconnect", end);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);

if (process.connected) tell({ type: "ready", directory });
else end();

function start({
  id,
  command: [program = "", ...args],
  log,
  env,
  directory: cwd,
}: KeeperRequest & { type: "start" }): void {
  if (ending) return;
  const output = openSync(join(directory, log), "a");
  // Each in a process group of its own, which whatever it starts is in too.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", output, output] });
  closeSync(output);
  child.on("error", (error) => tell({ type: "failed", id, message: error.message }));
  if (child.pid === undefined) return;
  const pid = child.pid;
  running.set(pid, child);
  tell({ type: "started", id, pid });
  child.on("exit", (code, signal) => {
    running.delete(pid);
    killGroup(pid);
    tell({ type: "exited", pid, code, signal });
    if (ending) leaveIfAlone();
  });
}

/** The programs are given no time: nothing that they could still write will be read. */
function end(): void {
  if (ending) return;
  ending = true;
  for (const pid of running.keys()) killGroup(pid);
  leaveIfAlone();
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is in it any more.
  }
}

function leaveIfAlone(): void {
  if (running.size > 0) return;
  // What was killed beside a program may be writing its last.
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  process.exit();
}

function tell(message: KeeperMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
