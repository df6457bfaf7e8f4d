import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

const made = new Set(["node_modules", "dist", ".turbo", "test", "go", "config"]);

/**
 * Does `work` unless it was done with the same contents of `inputs`, and all `outputs` are still there. `stamp` is the file
 * that remembers it. An input is a file, or a folder that stands for the sources in it.
 *
 * @param {string} stamp
 * @param {string[]} inputs
 * @param {() => Promise<void>} work
 * @param {string[]} outputs
 */
export async function onceFor(stamp, inputs, work, outputs = []) {
  const digest = digestOf(inputs);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest && outputs.every((path) => existsSync(path))) return;
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}

function digestOf(inputs) {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\0`);
  for (const input of inputs)
    for (const path of filesOf(input)) hash.update(`${path}\0`).update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}

function filesOf(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !made.has(entry.name) && (entry.isFile() || entry.isDirectory()))
    .map(({ name }) => join(path, name))
    .sort()
    .flatMap(filesOf);
}
