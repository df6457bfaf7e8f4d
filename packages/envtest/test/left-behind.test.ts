import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startHolder } from "./left-behind.ts";

describe("what a process has started", () => {
  for (const signal of ["SIGKILL", "SIGINT", "SIGTERM", "SIGHUP"] as const) {
    it(`is gone, children and folder too, after its ${signal}`, async () => {
      const holder = await startHolder("holds-programs");
      const directory = await holder.line();
      expect(existsSync(directory)).toBe(true);
      holder.process.kill(signal);
      await holder.nothingLeft();
    });
  }

  it("is gone if it is killed at any moment of its start", async () => {
    // From before its first line of code, to after the last of its programs runs.
    for (let afterMs = 0; afterMs <= 500; afterMs += 25) {
      const holder = await startHolder("holds-programs");
      await sleep(afterMs);
      holder.process.kill("SIGKILL");
      await once(holder.process, "exit");
      await holder.nothingLeft();
    }
  });
});

describe("a control plane", () => {
  it("is gone, with its folder, after the SIGKILL of the process that started it", async () => {
    const holder = await startHolder("holds-control-plane");
    expect(existsSync(await holder.line())).toBe(true);
    holder.process.kill("SIGKILL");
    await holder.nothingLeft();
  });
});
