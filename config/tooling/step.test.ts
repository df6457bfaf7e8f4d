import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { formatElapsed, showStep } from "./step.mjs";

describe("showStep", () => {
  let written = "";
  const output = (isTTY: boolean) => ({
    isTTY,
    write: (text: string) => {
      written += text;
    },
  });
  beforeEach(() => {
    written = "";
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("writes one plain line in a pipe", async () => {
    await showStep("dependencies", async () => {}, output(false));
    expect(written).toBe(`✓ dependencies${" ".repeat(58)} 0.0 s\n`);
  });

  it("says now and then in a pipe how far a long step is", async () => {
    const work = async (progress: (line: string) => void): Promise<void> => {
      progress("\x1b[32m400 of 2,250 packages\x1b[0m");
      await new Promise((resolve) => setTimeout(resolve, 20_000));
    };
    const shown = showStep("control plane", work, output(false));
    await vi.advanceTimersByTimeAsync(20_000);
    await shown;
    expect(written.split("\n").map((line) => line.replaceAll(/ +/g, " "))).toEqual([
      "… control plane: 400 of 2,250 packages 15.0 s",
      "✓ control plane 20.0 s",
      "",
    ]);
  });

  it("moves on a terminal, and never beyond its line", async () => {
    const work = async (progress: (line: string) => void): Promise<void> => {
      progress("x".repeat(200));
      await new Promise((resolve) => setTimeout(resolve, 250));
    };
    const shown = showStep("build", work, output(true));
    await vi.advanceTimersByTimeAsync(250);
    await shown;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what moves it
    const frames = written.replaceAll(/\x1b\[\d*[mK]/g, "").split("\r");
    expect(frames).toHaveLength(4);
    expect(frames.every((frame) => frame.trimEnd().length < 80)).toBe(true);
    expect(written.endsWith("\n")).toBe(true);
  });

  it("marks a step that failed, and hands on why", async () => {
    const broken = async (): Promise<never> => {
      throw new Error("no such registry");
    };
    await expect(showStep("dependencies", broken, output(false))).rejects.toThrow("no such registry");
    expect(written).toMatch(/^✗ dependencies +0\.0 s\n$/);
  });
});

describe("formatElapsed", () => {
  it("is short and of one width for what is short, and in minutes for what is long", () => {
    expect([40, 12_340, 59_940, 60_000, 754_000].map(formatElapsed)).toEqual([
      "0.0 s",
      "12.3 s",
      "59.9 s",
      "1 min 00 s",
      "12 min 34 s",
    ]);
  });
});
