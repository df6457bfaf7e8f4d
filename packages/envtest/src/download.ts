import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface DownloadOptions {
  /** How long the site has for its first answer, and then for each next byte. @default 5_000 */
  readonly patienceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const defaultPatienceMs = 5_000;

/** The body of a small text file. @throws {Error} that names the URL, with what went wrong as its cause */
export async function downloadText(
  url: string,
  { patienceMs = defaultPatienceMs, signal }: DownloadOptions,
): Promise<string> {
  const signals = [AbortSignal.timeout(patienceMs), ...(signal ? [signal] : [])];
  try {
    const response = await fetch(url, { signal: AbortSignal.any(signals) });
    return await textOf(response);
  } catch (cause) {
    signal?.throwIfAborted();
    throw failure(url, cause);
  }
}

async function textOf(response: Response): Promise<string> {
  if (!response.ok) throw new Error(`it answers ${response.status}`);
  return response.text();
}

export interface FileDownload extends DownloadOptions {
  readonly algorithm: "sha256" | "sha512";
  /** What the file must hash to, in hex. */
  readonly hash: string;
  /** Told how much has come, and of how much, if the site says. */
  readonly onBytes: (received: number, total: number | undefined) => void;
}

/** Writes what is at `url` to `path`. @throws {Error} if it cannot be had, or is not what was promised; the file may be there then */
export async function downloadFile(url: string, path: string, options: FileDownload): Promise<void> {
  const { patienceMs = defaultPatienceMs, algorithm, hash, onBytes, signal } = options;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error(`nothing came for ${patienceMs} ms`)), patienceMs);
  const digest = createHash(algorithm);
  try {
    const response = await fetch(url, { signal: AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]) });
    if (!response.ok || response.body === null) throw new Error(`it answers ${response.status}`);
    const total = Number(response.headers.get("content-length")) || undefined;
    let received = 0;
    const watched = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        timer.refresh();
        digest.update(chunk);
        received += chunk.length;
        onBytes(received, total);
        done(null, chunk);
      },
    });
    await pipeline(Readable.fromWeb(response.body), watched, createWriteStream(path));
  } catch (cause) {
    signal?.throwIfAborted();
    throw failure(url, cause);
  } finally {
    clearTimeout(timer);
  }
  const actual = digest.digest("hex");
  if (actual !== hash) throw new Error(`${url} is not what it should be: its ${algorithm} is ${actual}, not ${hash}`);
}

function failure(url: string, cause: unknown): Error {
  return new Error(`cannot download ${url}: ${reasonOf(cause)}`, { cause });
}

/** `fetch` says "fetch failed", and keeps what happened in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
