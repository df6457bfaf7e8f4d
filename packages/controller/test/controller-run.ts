import type { KubeObject } from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";
import pino from "pino";
import {
  Controller,
  type ControllerObserver,
  type ControllerOptions,
  controllerFor,
  type Reconcile,
  type SourceOptions,
} from "../src/index.ts";
import { ScriptedCache } from "./scripted-cache.ts";
import { Widget } from "./widget.ts";

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export const levels = { debug: 20, info: 30, warn: 40, error: 50 } as const;

export interface ControllerRunOptions extends ControllerOptions {
  readonly observer?: ControllerObserver;
  readonly atOnce?: number;
  readonly source?: SourceOptions<Widget>;
}

/** A controller of Widgets on a scripted cache, and what it says. */
export class ControllerRun {
  readonly cache: ScriptedCache = new ScriptedCache();
  readonly lines: LogLine[] = [];
  readonly events: string[] = [];
  readonly controller: Controller;
  readonly #stop = new AbortController();
  readonly #hurry = new AbortController();

  constructor(reconcile: Reconcile<Widget>, { observer, atOnce, source, ...options }: ControllerRunOptions = {}) {
    const record = (reason: string, message: string) => this.events.push(`${reason}: ${message}`);
    this.controller = new Controller(controllerFor(Widget, source).complete(reconcile, options), {
      cache: this.cache,
      // Reconciles of these tests send nothing.
      client: {} as Client,
      log: pino({ level: "debug" }, { write: (line) => this.lines.push(JSON.parse(line)) }),
      events: {
        recorderFor: (_: KubeObject) => ({ normal: record, warning: record }),
        flush: async () => {},
      },
      ...(observer !== undefined && { observer }),
      ...(atOnce !== undefined && { maxConcurrentReconciles: atOnce }),
    });
  }

  /** Runs on a cache that has synced, until it is told to stop. */
  start(): Promise<void> {
    this.cache.sync();
    return this.run();
  }

  run(): Promise<void> {
    return this.controller.run(this.#stop.signal, this.#hurry.signal);
  }

  stop(): void {
    this.#stop.abort();
  }

  hurry(): void {
    this.#hurry.abort();
  }

  linesOf(level: keyof typeof levels): readonly LogLine[] {
    return this.lines.filter((line) => line.level === levels[level]);
  }
}
