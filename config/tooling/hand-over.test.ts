import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

describe("handOver", () => {
  const started: ChildProcess[] = [];
  afterEach(() => {
    for (const process of started.splice(0)) process.kill("SIGKILL");
  });

  /** Hands over to a program, and resolves once that has written its first line. */
  async function handOverTo(source: string): Promise<{ parent: ChildProcess; lines: AsyncIterator<string> }> {
    const program = `import("./config/tooling/hand-over.mjs").then(({ handOver }) => handOver(["-e", ${JSON.stringify(source)}]))`;
    const parent = spawn(process.execPath, ["-e", program], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    started.push(parent);
    const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
    return { parent, lines };
  }

  async function nextOf(lines: AsyncIterator<string>): Promise<string | undefined> {
    const { value } = await lines.next();
    return value;
  }

  const counting = `
    let signals = 0;
    process.on("SIGINT", () => { signals += 1; console.log("SIGINT " + signals); });
    process.on("SIGTERM", () => { console.log("SIGTERM"); process.exit(3); });
    setInterval(() => {}, 1000);
    console.log("ready");`;

  it("ends with the program's exit code", async () => {
    const { parent } = await handOverTo("process.exit(7)");
    expect(await once(parent, "exit")).toEqual([7, null]);
  });

  it("ends by the signal that ended the program", async () => {
    const { parent } = await handOverTo(`process.kill(process.pid, "SIGKILL")`);
    expect(await once(parent, "exit")).toEqual([null, "SIGKILL"]);
  });

  it("passes signals on", async () => {
    const { parent, lines } = await handOverTo(counting);
    await nextOf(lines);
    parent.kill("SIGTERM");
    expect(await nextOf(lines)).toBe("SIGTERM");
    expect(await once(parent, "exit")).toEqual([3, null]);
  });

  it("passes a Ctrl-C that comes from the terminal and from npm on once", async () => {
    const { parent, lines } = await handOverTo(counting);
    await nextOf(lines);
    parent.kill("SIGINT");
    expect(await nextOf(lines)).toBe("SIGINT 1");
    parent.kill("SIGINT");
    parent.kill("SIGTERM");
    expect(await nextOf(lines)).toBe("SIGTERM");
  });

  it("does not outlive its parent, killed or not", async () => {
    const { parent, lines } = await handOverTo(counting);
    await nextOf(lines);
    parent.kill("SIGKILL");
    expect(await nextOf(lines)).toBe("SIGTERM");
    expect(await nextOf(lines)).toBeUndefined();
  });
});
