import type { KubeObject } from "@trimtab/apimachinery";
import type { AnswerStream } from "./answer-stream.ts";
import { ApiError, type Status } from "./api-error.ts";
import { type ApiRequest, describeRequest } from "./api-request.ts";
import { LineSplitter } from "./line-splitter.ts";
import { TransportError } from "./transport-error.ts";
import type { WatchEvent } from "./watch-event.ts";

/**
 * Decodes the answer to a watch; ends where the server ends it.
 *
 * @throws TransportError if it breaks off, is silent for too long, or holds a line that is not JSON
 */
export async function* watchStream<T extends KubeObject>(
  stream: AnswerStream,
  asked: ApiRequest,
): AsyncGenerator<WatchEvent<T>> {
  const lines = new LineSplitter();
  try {
    for await (const chunk of stream) for (const line of lines.push(chunk)) yield decode(line, asked);
    if (lines.isWithinLine) throw new Error("the answer ends within a line");
  } catch (cause) {
    if (cause instanceof TransportError) throw cause;
    throw new TransportError(`${describeRequest(asked)} broke off: ${(cause as Error).message}`, { cause });
  }
}

interface RawEvent<T> {
  readonly type: string;
  readonly object: T;
}

function decode<T extends KubeObject>(line: string, asked: ApiRequest): WatchEvent<T> {
  const { type, object } = parse<T>(line, asked);
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
      return { type, error: ApiError.of(status, status.code ?? 500, asked) };
    }
    default:
      throw new TransportError(`${describeRequest(asked)}: an event of the unknown type ${type}`);
  }
}

function parse<T extends KubeObject>(line: string, asked: ApiRequest): RawEvent<T> {
  try {
    return JSON.parse(line) as RawEvent<T>;
  } catch {
    // The parser's own message would quote the line, and with it perhaps a secret.
    throw new TransportError(`${describeRequest(asked)}: a line of ${line.length} characters that is not JSON`);
  }
}
