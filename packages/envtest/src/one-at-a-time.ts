import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface OneAtATimeOptions {
  /** The folder that stands for the work, wherever it is asked for; made if need be. */
  readonly directory: string;
  /** Told what the one at work tells, whether that is this process or another. */
  readonly onProgress: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** How long one at work has to say so; it only has to accept a connection of the loopback interface. */
const answerMs = 2_000;

/**
 * Does `work` in one process of this machine at a time.
 *
 * - A turn ends with its work or with its process, however that ends: what is held is a listening socket, and
 *   the kernel closes it.
 * - Turns are numbered by files that are made exclusively and never removed, so that two processes that both find a dead
 *   holder cannot both take its place.
 * - Those who wait hear the progress of the one at work.
 */
export async function oneAtATime<T>(
  { directory, onProgress, signal }: OneAtATimeOptions,
  work: (onProgress: (line: string) => void) => Promise<T>,
): Promise<T> {
  await mkdir(directory, { recursive: true });
  const nonce = randomUUID();
  const waiting = new Set<Socket>();
  const server = await listen(nonce, waiting);
  try {
    await takeTurn(directory, { port: (server.address() as AddressInfo).port, nonce }, { onProgress, signal });
    return await work((line) => {
      onProgress(line);
      for (const socket of waiting) socket.write(`${line}\n`);
    });
  } finally {
    server.close();
    for (const socket of waiting) socket.destroy();
  }
}

/** Where one whose turn it is can be found. */
interface Turn {
  readonly port: number;
  /** Its first line, so that a stranger on the same port is not taken for it. */
  readonly nonce: string;
}

async function listen(nonce: string, waiting: Set<Socket>): Promise<Server> {
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.on("close", () => waiting.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.write(`${nonce}\n`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function takeTurn(
  directory: string,
  turn: Turn,
  options: Pick<OneAtATimeOptions, "onProgress" | "signal">,
): Promise<void> {
  const draft = join(directory, `${turn.nonce}.draft`);
  await writeFile(draft, JSON.stringify(turn));
  try {
    for (;;) {
      options.signal?.throwIfAborted();
      const last = await lastTurn(directory);
      if (last > 0 && (await awaitEnd(join(directory, `${last}`), options))) continue;
      if (await claim(draft, join(directory, `${last + 1}`))) return;
    }
  } finally {
    await rm(draft, { force: true });
  }
}

async function lastTurn(directory: string): Promise<number> {
  return Math.max(0, ...(await readdir(directory)).map(Number).filter(Number.isInteger));
}

/** A link appears whole or not at all, and only one process can make it. */
async function claim(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Whether there was anybody at work: if so, until they no longer are. */
async function awaitEnd(
  path: string,
  { onProgress, signal }: Pick<OneAtATimeOptions, "onProgress" | "signal">,
): Promise<boolean> {
  const { port, nonce } = JSON.parse(await readFile(path, "utf8")) as Turn;
  const socket = connect({ port, host: "127.0.0.1", ...(signal && { signal }) });
  const stranger = setTimeout(() => socket.destroy(), answerMs);
  let known = false;
  const lines = createInterface({ input: socket });
  lines.on("line", (line) => {
    if (known) return onProgress(line);
    known = line === nonce;
    clearTimeout(stranger);
    if (!known) socket.destroy();
  });
  // A refused or broken connection says what a closed one says.
  const ended = new Promise((resolve) => socket.on("close", resolve));
  socket.on("error", () => socket.destroy());
  lines.on("error", () => socket.destroy());
  await ended;
  clearTimeout(stranger);
  signal?.throwIfAborted();
  return known;
}
