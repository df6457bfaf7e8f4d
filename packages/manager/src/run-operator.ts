import type { ControllerDefinition } from "@trimtab/controller";

export interface OperatorOptions {
  /** Names the field manager, the Lease, the user agent and the reporting controller of events. */
  readonly name: string;
  readonly version: string;
  readonly controllers: readonly ControllerDefinition[];
  /** `process.argv.slice(2)` */
  readonly argv: readonly string[];
  /** `process.env` */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs an operator as a process, by flags and environment, until a signal. @returns its exit code */
export declare function runOperator(options: OperatorOptions): Promise<number>;
