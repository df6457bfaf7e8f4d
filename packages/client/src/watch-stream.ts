import type { IncomingMessage } from "node:http";
import type { KubeObject } from "@trimtab/apimachinery";
import { ApiError, type Status } from "./api-error.ts";
import { LineSplitter } from "./line-splitter.ts";
import { TransportError } from "./transport-error.ts";
import type { WatchEvent } from "./watch-event.ts";

export interface WatchStreamOptions {
  /** Says what is watched, in errors. */
  readonly name: string;
  readonly idleTimeoutMs?: number | undefined;
}

/**
 * Decodes the answer to a watch; ends where the server ends it.
 *
 * @throws TransportError if it breaks off, is silent for `idleTimeoutMs`, or holds a line that is not JSON
 */
export async function* watchStream<T extends KubeObject>(
  response: IncomingMessage,
  { name, idleTimeoutMs = 0 }: WatchStreamOptions,
): AsyncGenerator<WatchEvent<T>> {
  const lines = new LineSplitter();
  if (idleTimeoutMs > 0)
    response.setTimeout(idleTimeoutMs, () =>
      response.destroy(new Error(`nothing was heard for ${idleTimeoutMs / 1_000} s`)),
    );
  try {
    for await (const chunk of response) for (const line of lines.push(chunk as Buffer)) yield decode(line, name);
  } catch (cause) {
    if (cause instanceof TransportError) throw cause;
    throw new TransportError(`the watch of ${name} broke off: ${(cause as Error).message}`, { cause });
  } finally {
    response.destroy();
  }
}

interface RawEvent<T> {
  readonly type: string;
  readonly object: T;
}

function decode<T extends KubeObject>(line: string, name: string): WatchEvent<T> {
  const { type, object } = parse<T>(line, name);
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return { type, object };
    case "BOOKMARK": {
      const { resourceVersion, annotations } = object.metadata;
      return { type, resourceVersion, initialEventsEnd: annotations?.["k8s.io/initial-events-end"] === "true" };
    }
    case "ERROR": {
      const status = object as Status;
      return { type, error: ApiError.of(status, status.code ?? 500, `watch ${name}`) };
    }
    default:
      throw new TransportError(`the watch of ${name} holds an event of the unknown type ${type}`);
  }
}

function parse<T extends KubeObject>(line: string, name: string): RawEvent<T> {
  try {
    return JSON.parse(line) as RawEvent<T>;
  } catch {
    // The parser's own message would quote the line, and with it perhaps a secret.
    throw new TransportError(`the watch of ${name} holds a line of ${line.length} characters that is not JSON`);
  }
}
