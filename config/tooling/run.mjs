import { spawn } from "node:child_process";
import process from "node:process";
import { StringDecoder } from "node:string_decoder";

const shownLines = 40;

/**
 * Runs a program to its end, out of sight. One that fails throws an error that shows the end of what it wrote and `advice`;
 * an aborted signal ends it with all the programs that it started.
 */
export async function run([program, ...args], { env = process.env, signal, progress = () => {}, advice }) {
  signal.throwIfAborted();
  // A process group of its own, so that its children can be ended with it.
  const child = spawn(program, args, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const end = () => endGroup(child);
  signal.addEventListener("abort", end, { once: true });
  const output = [];
  for (const stream of [child.stdout, child.stderr])
    readLines(stream, (line) => {
      output.push(line);
      progress(line.trim());
    });
  try {
    const outcome = await new Promise((resolve, reject) => {
      child.on("error", (cause) => reject(new Error(`cannot run ${program}: ${cause.message}\n${advice}`, { cause })));
      child.on("close", (code, by) => resolve(code ?? by));
    });
    signal.throwIfAborted();
    if (outcome === 0) return;
    const shown = output.slice(-shownLines).join("\n");
    throw new Error(`${shown}\n\n${[program, ...args].join(" ")}\nended with ${outcome}\n${advice}`);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function endGroup(child) {
  try {
    process.kill(-child.pid, "SIGTERM");
  } catch {
    // It has ended already.
  }
}

function readLines(stream, onLine) {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  stream.on("data", (chunk) => {
    const lines = (rest + decoder.write(chunk)).split(/\r?\n/);
    rest = lines.pop();
    for (const line of lines) if (line.trim() !== "") onLine(line);
  });
  stream.on("end", () => {
    if (rest.trim() !== "") onLine(rest);
  });
}
