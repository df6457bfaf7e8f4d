import { resolve } from "node:path";
import { type OperatorProcess, startOperator } from "@trimtab/envtest";

export const operatorNames: readonly string[] = ["memcached-operator", "podset-operator", "secret-operator"];

const logLines = 20;

/** The three operators, each a process of its own that runs the file it would run in a cluster. */
export interface Operators {
  /** The end of what an operator has logged, and whether it still runs. */
  report(name: string): Promise<string>;
  /** Asks all to end, and waits until they have. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly kubeconfigPath: string;
  /** The namespaces that they are to look after. @default all */
  readonly namespaces?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Resolves once each says that it is ready. */
export async function startOperators({ kubeconfigPath, namespaces, env, signal }: StartOptions): Promise<Operators> {
  const started = await Promise.allSettled(
    operatorNames.map((name) =>
      startOperator({
        main: resolve(`operators/${name}/dist/main.js`),
        kubeconfigPath,
        flags: namespaces === undefined ? [] : [`--namespaces=${namespaces.join(",")}`],
        ...(env && { env }),
        signal,
      }),
    ),
  );
  const processes = started.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(processes.map((operator) => operator.stop()));
  };
  const failed = started.findIndex(({ status }) => status === "rejected");
  if (failed >= 0) {
    await stop();
    throw new Error(`${operatorNames[failed]} did not become ready`, {
      cause: (started[failed] as PromiseRejectedResult).reason,
    });
  }
  return { stop, report: (name) => reportOn(name, processes[operatorNames.indexOf(name)]) };
}

async function reportOn(name: string, operator: OperatorProcess | undefined): Promise<string> {
  if (operator === undefined) return `${name} does not run`;
  const ended = await Promise.race([operator.exited, undefined]);
  const lines = (await operator.log()).slice(-logLines);
  return [`${name} ${ended === undefined ? "runs" : `has ended: ${ended}`}; its log ends with`, ...lines].join("\n");
}
