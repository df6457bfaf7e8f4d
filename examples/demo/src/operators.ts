import { resolve } from "node:path";
import { type OperatorProcess, startOperator } from "@trimtab/envtest";

export const operatorNames: readonly string[] = ["memcached-operator", "podset-operator", "secret-operator"];

const logLines = 20;
/** How long an operator may take until it is ready. */
const readyTimeoutMs = 30_000;

/** The three operators, each a process of its own that runs the file it would run in a cluster. */
export interface Operators {
  /** Whether an operator runs and what it waits for, and the end of what it has logged. */
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

/** Resolves once each says that it is ready; if one does not, throws an error that shows why, with none left running. */
export async function startOperators({ signal, ...options }: StartOptions): Promise<Operators> {
  const processes = new Map(
    await Promise.all(operatorNames.map(async (name) => [name, await start(name, options)] as const)),
  );
  const operators: Operators = {
    report: (name) => reportOn(name, processes.get(name)),
    stop: async () => {
      await Promise.all([...processes.values()].map((operator) => operator.stop()));
    },
  };
  const patience = AbortSignal.any([signal, AbortSignal.timeout(readyTimeoutMs)]);
  try {
    await Promise.all([...processes].map(([name, operator]) => untilReady(name, operator, patience)));
    return operators;
  } catch (error) {
    await operators.stop();
    throw error;
  }
}

function start(
  name: string,
  { kubeconfigPath, namespaces, env }: Omit<StartOptions, "signal">,
): Promise<OperatorProcess> {
  return startOperator({
    main: resolve(`operators/${name}/dist/main.js`),
    kubeconfigPath,
    flags: namespaces === undefined ? [] : [`--namespaces=${namespaces.join(",")}`],
    ...(env && { env }),
    awaitReady: false,
  });
}

async function untilReady(name: string, operator: OperatorProcess, signal: AbortSignal): Promise<void> {
  try {
    await operator.whenReady(signal);
  } catch (cause) {
    throw new Error(`${name} did not become ready: ${await reportOn(name, operator)}`, { cause });
  }
}

async function reportOn(name: string, operator: OperatorProcess | undefined): Promise<string> {
  if (operator === undefined) return `${name} does not run`;
  const ended = await Promise.race([operator.exited, undefined]);
  const state = ended === undefined ? await readiness(operator) : `ended: ${ended}`;
  const lines = (await operator.log()).slice(-logLines);
  return [`${name}, ${state}`, "the end of its log:", ...lines].join("\n");
}

async function readiness({ healthUrl }: OperatorProcess): Promise<string> {
  try {
    return await (await fetch(`${healthUrl}/readyz?verbose`)).text();
  } catch {
    return "runs, and does not answer";
  }
}
