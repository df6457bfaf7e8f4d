import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ProcessKeeper } from "./process-keeper.ts";

/** A process that has ended may be listed as a zombie, until its new parent asks how it ended. */
async function isAlive(pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,stat="]);
  return stdout.split("\n").some((line) => new RegExp(`^ *${pid} +[^Z ]`).test(line));
}

describe("ProcessKeeper", () => {
  it("runs programs in its own folder, which only the user may read", async () => {
    const keeper = await ProcessKeeper.start();
    const program = await keeper.run("where", ["sh", "-c", "pwd; ls -ld . | cut -c1-10"]);
    expect(await program.exited).toBe("exit code 0");
    expect((await program.logTail()).split("\n")).toEqual([keeper.directory, "drwx------"]);
    await keeper.end();
  });

  it("gives programs no environment but the one they are to have", async () => {
    const keeper = await ProcessKeeper.start();
    const program = await keeper.run("environment", ["/usr/bin/env"], { env: { ONLY: "this" } });
    await program.exited;
    expect(await program.logTail()).toBe("ONLY=this");
    await keeper.end();
  });

  it("leaves no program and no folder when it ends", async () => {
    const keeper = await ProcessKeeper.start();
    const programs = await Promise.all([1, 2, 3].map((n) => keeper.run(`sleep-${n}`, ["sleep", "1000"])));
    await keeper.end();
    expect(await Promise.all(programs.map(({ pid }) => isAlive(pid)))).toEqual([false, false, false]);
    expect(existsSync(keeper.directory)).toBe(false);
    expect(await Promise.all(programs.map(({ exited }) => exited))).toEqual(["SIGKILL", "SIGKILL", "SIGKILL"]);
  });

  it("says how a program ended", async () => {
    const keeper = await ProcessKeeper.start();
    expect(await (await keeper.run("fails", ["sh", "-c", "exit 3"])).exited).toBe("exit code 3");
    const killed = await keeper.run("killed", ["sleep", "1000"]);
    killed.kill("SIGTERM");
    expect(await killed.exited).toBe("SIGTERM");
    await keeper.end();
  });

  it("names a program that cannot be run", async () => {
    const keeper = await ProcessKeeper.start();
    await expect(keeper.run("nothing", ["no-such-program"])).rejects.toThrow(/^cannot run no-such-program: .*ENOENT/);
    await keeper.end();
  });

  it("clears away itself if the process that does it for it is killed", async () => {
    const keeper = await ProcessKeeper.start();
    const parent = await keeper.run("parent", ["sh", "-c", "echo $PPID; exec sleep 1000"]);
    let keeperPid = 0;
    while (keeperPid === 0) {
      keeperPid = Number(await parent.logTail());
      await sleep(5);
    }
    process.kill(keeperPid, "SIGKILL");
    expect(await parent.exited).toBe("SIGKILL");
    await keeper.end();
    expect(existsSync(keeper.directory)).toBe(false);
    await expect.poll(() => isAlive(parent.pid)).toBe(false);
    await expect(keeper.run("late", ["sleep", "1"])).rejects.toThrow("cannot run sleep");
  });
});
