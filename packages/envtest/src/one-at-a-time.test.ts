import { type ChildProcess, spawn } from "node:child_process";
import { on, once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

let directory: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "one-at-a-time-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(directory, { recursive: true, force: true });
});

/** A process that says when it is its turn, and then works until it is killed. */
function worker(): { readonly process: ChildProcess; hears(line: string): Promise<void> } {
  const program = `
    import { oneAtATime } from ${JSON.stringify(new URL("./one-at-a-time.ts", import.meta.url).href)};
    const onProgress = (line) => console.log("hears " + line);
    await oneAtATime({ directory: ${JSON.stringify(join(directory, "lock"))}, onProgress }, async (tell) => {
      console.log("works");
      const timer = setInterval(() => tell("half done"), 10);
      await new Promise(() => {});
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  return {
    process: child,
    hears: async (line) => {
      for await (const [each] of on(lines, "line")) if (each === line) return;
    },
  };
}

const options = (): { directory: string; onProgress: (line: string) => void } => ({
  directory: join(directory, "lock"),
  onProgress: () => {},
});

describe("oneAtATime", () => {
  it("lets only one of many work at a time", async () => {
    let working = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++working);
      await readFile(new URL(import.meta.url));
      working--;
    };
    await Promise.all(Array.from({ length: 20 }, () => oneAtATime(options(), work)));
    expect(most).toBe(1);
  });

  it("hands on what the work returns or throws, and the next has its turn after either", async () => {
    expect(await oneAtATime(options(), async () => "done")).toBe("done");
    await expect(oneAtATime(options(), () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await oneAtATime(options(), async () => "again")).toBe("again");
  });

  it("tells those who wait how far the one at work is", async () => {
    const first = worker();
    await first.hears("works");
    const heard = await new Promise((resolve) => {
      oneAtATime({ ...options(), onProgress: resolve }, async () => {}).catch(() => {});
    });
    expect(heard).toBe("half done");
  });

  it("gives the turn of a process that was killed to exactly one of those who wait", async () => {
    const holder = worker();
    await holder.hears("works");
    const waiters = Array.from({ length: 4 }, worker);
    await Promise.all(waiters.map((waiter) => waiter.hears("hears half done")));
    let works = 0;
    const turns = waiters.map((waiter) =>
      waiter.hears("works").then(() => {
        works++;
      }),
    );
    holder.process.kill("SIGKILL");
    await Promise.race(turns);
    // The other three are waiting again once they hear the new one.
    const heard = await Promise.all(waiters.map((waiter) => Promise.race([waiter.hears("hears half done"), ...turns])));
    expect(heard).toHaveLength(4);
    expect(works).toBe(1);
  });

  it("is not held by a dead process whose port a stranger has now", async () => {
    const stranger = createServer((socket) => socket.write("HTTP/1.1 400 Bad Request\n")).listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const { port } = stranger.address() as AddressInfo;
    await oneAtATime(options(), async () => {});
    await writeFile(join(directory, "lock", "7"), JSON.stringify({ port, nonce: "of the dead" }));
    expect(await oneAtATime(options(), async () => "mine")).toBe("mine");
    stranger.close();
  });

  it("waits no longer once the signal aborts", async () => {
    const holder = worker();
    await holder.hears("works");
    const stop = new AbortController();
    const waiting = oneAtATime(
      { ...options(), onProgress: () => stop.abort(new Error("enough")), signal: stop.signal },
      async () => {},
    );
    await expect(waiting).rejects.toThrow("enough");
  });
});
