import type { Client } from "@trimtab/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { play, type Stage } from "./play.ts";
import type { Act, Step } from "./story.ts";

interface View {
  readonly pods: number;
}

/** A cluster of one number, which a command changes. */
function stageOf(pods: { count: number }, stepTimeoutMs = 1_000): { stage: Stage; commands: string[] } {
  const commands: string[] = [];
  const stage: Stage = {
    client: pods as unknown as Client,
    kubectl: async (args) => {
      commands.push(args.join(" "));
      const count = Number(args.at(-1));
      if (count > 10) return { ok: false, output: "spec.replicas: Invalid value: 11" };
      if (args.includes("scale")) pods.count = count;
      return { ok: true, output: "NAME" };
    },
    stepTimeoutMs,
  };
  return { stage, commands };
}

function actOf(...steps: readonly Step<View>[]): Act<View> {
  return {
    title: "Pods",
    sample: "examples/demo/manifests/late-namespace.yaml",
    operator: "none",
    look: async (client) => ({ pods: (client as unknown as { count: number }).count }),
    steps,
  };
}

const scaleTo = (count: number): Step<View> => ({
  claim: `${count} pods`,
  command: () => ["scale", String(count)],
  lacks: ({ pods }) => (pods === count ? undefined : `${pods} of ${count} pods`),
});

describe("play", () => {
  const signal = new AbortController().signal;
  let written = "";
  beforeEach(() => {
    written = "";
    const write = (text: unknown): true => {
      written += text;
      return true;
    };
    vi.spyOn(process.stdout, "write").mockImplementation(write);
    vi.spyOn(console, "log").mockImplementation((line = "") => write(`${line}\n`));
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("runs each command in the demo's namespace, and shows what a person would look at", async () => {
    const { stage, commands } = stageOf({ count: 0 });
    const inDefault = { ...scaleTo(3), command: () => ["-n", "default", "scale", "3"] };
    await play(actOf({ ...scaleTo(2), show: [["pods"]] }, inDefault), stage, signal);
    expect(commands).toEqual(["-n trimtab-demo scale 2", "-n trimtab-demo get pods", "-n default scale 3"]);
    expect(written).toContain("$ kubectl -n trimtab-demo scale 2");
    expect(written).toMatch(/✓ 2 pods +0\.\d s/);
  });

  it("says what is lacking when a claim does not hold in time, and plays no further step", async () => {
    const { stage, commands } = stageOf({ count: 0 }, 60);
    const broken = { ...scaleTo(3), command: () => ["get", "pods"] };
    await expect(play(actOf(broken, scaleTo(5)), stage, signal)).rejects.toThrow("not within 0.06 s: 0 of 3 pods");
    expect(commands).toHaveLength(1);
    expect(written).toMatch(/✗ 3 pods/);
  });

  it("holds a refusal for right only where the story says so", async () => {
    const { stage } = stageOf({ count: 2 });
    const tooMany = scaleTo(11);
    await expect(play(actOf(tooMany), stage, signal)).rejects.toThrow("kubectl was refused: spec.replicas: Invalid");
    await play(actOf({ ...tooMany, refused: true, lacks: () => undefined }), stage, signal);
    await expect(play(actOf({ ...scaleTo(2), refused: true }), stage, signal)).rejects.toThrow("not refused");
  });

  it("ends when it is asked to, however long the step would wait", async () => {
    const { stage } = stageOf({ count: 0 }, 60_000);
    const never = { ...scaleTo(3), command: () => ["get", "pods"] };
    await expect(play(actOf(never), stage, AbortSignal.timeout(50))).rejects.toThrow();
  });

  it("fits into 80 columns", async () => {
    const { stage } = stageOf({ count: 0 });
    const wide: Stage = {
      ...stage,
      kubectl: async () => ({ ok: true, output: `${"word ".repeat(40)}\n${"x".repeat(200)}` }),
    };
    const long = { ...scaleTo(0), claim: "c".repeat(100), show: [["pods"]] };
    await play(actOf({ ...long, command: () => ["apply", "-f", `${"folder/".repeat(9)}f.yaml`] }), wide, signal);
    expect(Math.max(...written.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});
