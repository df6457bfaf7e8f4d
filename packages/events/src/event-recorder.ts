import type { KubeObject } from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";

/** Writes Events about one object. Never throws, never waits: what it is told is sent later, in order. */
export interface Recorder {
  normal(reason: string, message: string): void;
  warning(reason: string, message: string): void;
}

export interface EventRecorderOptions {
  readonly client: Client;
  /** `reportingController`: the manager's name. */
  readonly controller: string;
  /** `reportingInstance`: the pod's or host's name. */
  readonly instance: string;
  readonly onError?: (error: Error) => void;
}

export interface EventRecorder {
  recorderFor(object: KubeObject): Recorder;
  /** Sends what is waiting, until the signal aborts. */
  flush(signal: AbortSignal): Promise<void>;
}
export declare function createEventRecorder(options: EventRecorderOptions): EventRecorder;
