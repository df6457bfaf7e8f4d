/**
 * Preloaded into a program that must not outlive the process that started it, with an IPC channel between them: once the
 * channel closes, the program is asked to end, and a while later made to.
 */
import process from "node:process";

const graceMs = 10_000;

if (process.channel) {
  process.on("disconnect", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.kill(process.pid, "SIGKILL"), graceMs).unref();
  });
  // Being ready to end is no reason to stay.
  process.channel.unref();
}
