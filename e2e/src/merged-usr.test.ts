import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linkMergedUsr } from "./merged-usr.ts";

describe("linkMergedUsr", () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "merged-usr-"));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  function ship(file: string): void {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), file);
  }

  it("has what packages ship in /usr where programs look for it", async () => {
    for (const file of ["usr/lib/x86_64-linux-gnu/libc.so.6", "usr/lib64/ld-linux-x86-64.so.2", "usr/bin/tzselect"])
      ship(file);
    ship("usr/share/zoneinfo/UTC");
    await linkMergedUsr(root);
    expect(readdirSync(root).toSorted()).toEqual(["bin", "lib", "lib64", "usr"]);
    expect(readFileSync(join(root, "lib64/ld-linux-x86-64.so.2"), "utf8")).toBe("usr/lib64/ld-linux-x86-64.so.2");
  });

  it("leaves alone what packages ship outside /usr", async () => {
    ship("lib/x86_64-linux-gnu/libc.so.6");
    ship("usr/lib/x86_64-linux-gnu/libstdc++.so.6");
    await linkMergedUsr(root);
    expect(readFileSync(join(root, "lib/x86_64-linux-gnu/libc.so.6"), "utf8")).toBe("lib/x86_64-linux-gnu/libc.so.6");
  });
});
