import { randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type ApiAccess, apiRequest } from "./api-request.ts";
import type { AuditEvent } from "./audit-event.ts";

/** What the API server is told to write down: every request, once it is answered, without its bodies. */
export const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
`;

/** How long the API server has to answer, and to write down that it did. */
const patienceMs = 2_000;
const pollMs = 5;

/** The API server's audit log, of which only what was added since the last time is read. */
export class AuditLog {
  readonly #path: string;
  readonly #access: ApiAccess;
  /** By auditID, in the order in which they came in. */
  readonly #events = new Map<string, AuditEvent>();
  #offset = 0;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(path: string, access: ApiAccess) {
    this.#path = path;
    this.#access = access;
  }

  /**
   * One event a request, oldest first; that of a watch which is still open is of stage `ResponseStarted`. What was answered
   * before the call is in it, provided that the API server runs: it writes an event after the answer it is about.
   */
  async events(): Promise<readonly AuditEvent[]> {
    const read = this.#reading.then(() => this.#catchUp());
    this.#reading = read.catch(() => {});
    await read;
    return [...this.#events.values()];
  }

  /** Reads until a request made now is in the log, and leaves that out. */
  async #catchUp(): Promise<void> {
    const path = `/version?audit=${randomUUID()}`;
    const signal = AbortSignal.timeout(patienceMs);
    const isUp = await apiRequest(this.#access, { path, signal }).then(
      () => true,
      () => false,
    );
    await this.#readOn();
    while (isUp && !this.#drop(path) && !signal.aborted) {
      await sleep(pollMs);
      await this.#readOn();
    }
  }

  #drop(requestURI: string): boolean {
    const event = [...this.#events.values()].findLast((each) => each.requestURI === requestURI);
    return event !== undefined && this.#events.delete(event.auditID);
  }

  async #readOn(): Promise<void> {
    const file = await open(this.#path);
    try {
      const { size } = await file.stat();
      const bytes = Buffer.alloc(size - this.#offset);
      await file.read(bytes, 0, bytes.length, this.#offset);
      const end = bytes.lastIndexOf("\n") + 1;
      this.#offset += end;
      for (const line of bytes.toString("utf8", 0, end).split("\n")) {
        if (line === "") continue;
        const event = JSON.parse(line) as AuditEvent;
        this.#events.set(event.auditID, event);
      }
    } finally {
      await file.close();
    }
  }
}
