import { open } from "node:fs/promises";
import type { AuditEvent } from "./audit-event.ts";

/** What the API server is told to write down: every request, once it is answered, without its bodies. */
export const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
`;

/** The API server's audit log, of which only what was added since the last time is read. */
export class AuditLog {
  readonly #path: string;
  /** By auditID, in the order in which they came in. */
  readonly #events = new Map<string, AuditEvent>();
  #offset = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** One event a request; that of a watch which is still open is of stage `ResponseStarted`. */
  async events(): Promise<readonly AuditEvent[]> {
    this.#reading = this.#reading.then(() => this.#readOn());
    await this.#reading;
    return [...this.#events.values()];
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
