import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../..");

describe("the demo", () => {
  /** Holds whatever is temporary, and is named on the command line of every process that the demo starts. */
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "trimtab-left-behind-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function processes(): readonly string[] {
    return commandLines().filter((line) => line.includes(folder));
  }

  it.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("leaves nothing behind after %s", async (signal) => {
    const demo = spawn(process.execPath, ["--conditions=@trimtab/source", "examples/demo/src/main.ts"], {
      cwd: root,
      env: { ...process.env, TMPDIR: folder },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(demo, "exit");
    for await (const line of createInterface({ input: demo.stdout })) if (line.startsWith("$ kubectl")) break;
    expect(processes()).not.toEqual([]);

    demo.kill(signal);
    expect(await exited).toEqual([null, signal]);
    await expect.poll(processes, { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => readdirSync(folder), { timeout: 10_000 }).toEqual([]);
  });
});

function commandLines(): readonly string[] {
  if (process.platform !== "linux") return execFileSync("ps", ["-eo", "args="], { encoding: "utf8" }).split("\n");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return ""; // It has ended meanwhile.
      }
    });
}
