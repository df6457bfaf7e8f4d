import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { onceFor } from "./stamp.mjs";

describe("onceFor", () => {
  let folder: string;
  let done: number;
  beforeEach(() => {
    done = 0;
    folder = mkdtempSync(join(tmpdir(), "trimtab-stamp-"));
    mkdirSync(join(folder, "in/src"), { recursive: true });
    mkdirSync(join(folder, "in/dist"));
    writeFileSync(join(folder, "in/src/a.ts"), "1");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const output = (): string => join(folder, "out.js");
  const work = async (): Promise<void> => {
    done += 1;
    writeFileSync(output(), "");
  };
  const once = (): Promise<void> => onceFor(join(folder, "stamp"), [join(folder, "in")], work, [output()]);

  it("does the work once for the same files", async () => {
    await once();
    await once();
    expect(done).toBe(1);
  });

  it("does it again after a change, and not after a change to what is made", async () => {
    await once();
    writeFileSync(join(folder, "in/dist/main.js"), "made");
    await once();
    expect(done).toBe(1);
    writeFileSync(join(folder, "in/src/a.ts"), "2");
    await once();
    expect(done).toBe(2);
  });

  it("does it again when an output is gone", async () => {
    await once();
    rmSync(output());
    await once();
    expect(done).toBe(2);
  });

  it("does it again when it has failed", async () => {
    const fail = async (): Promise<void> => {
      throw new Error("broken");
    };
    await expect(onceFor(join(folder, "stamp"), [join(folder, "in")], fail)).rejects.toThrow("broken");
    await once();
    expect(done).toBe(1);
  });
});
