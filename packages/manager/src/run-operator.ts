import { type Connection, ConnectionError, loadConnection } from "@trimtab/client";
import type { Logger } from "pino";
import { helpText } from "./flags.ts";
import { createLogger } from "./logger.ts";
import { createManager } from "./manager.ts";
import type { ManagerOptions } from "./manager-options.ts";
import type { Operator } from "./operator.ts";
import { type OperatorSettings, readSettings } from "./operator-settings.ts";
import { shutdownSignal } from "./shutdown-signal.ts";
import { UsageError } from "./usage-error.ts";

export interface OperatorOptions extends Operator {
  readonly version: string;
  /** `process.argv.slice(2)` */
  readonly argv: readonly string[];
  /** `process.env` */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What is still open when all is done, of a controller's own doing, does not keep the process for longer than this. */
const lingerMs = 1_000;

/**
 * Runs an operator as a process, by flags and environment, until SIGTERM or SIGINT. What controllers leave open at the
 * end is cut off, a second after it resolved.
 *
 * @returns its exit code: 0 if it was asked to stop, 1 if it failed, 2 if it was called wrongly
 */
export async function runOperator(options: OperatorOptions): Promise<number> {
  try {
    const settings = readSettings(options.argv, options.env);
    if (settings.asks === "help") return say(helpText(options.name));
    if (settings.asks === "version") return say(`${options.name} ${options.version}`);
    const exitCode = await run(options, settings);
    setTimeout(() => process.exit(exitCode), lingerMs).unref();
    return exitCode;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ConnectionError)) throw error;
    process.stderr.write(`${options.name}: ${error.message}\n`);
    return 2;
  }
}

async function run(options: OperatorOptions, settings: OperatorSettings): Promise<number> {
  const { name, version } = options;
  const format = settings.logFormat ?? (process.stdout.isTTY ? "pretty" : "json");
  const log = await createLogger({ level: settings.logLevel, format });
  const shutdown = shutdownSignal(log);
  const connection = await connect(options, settings, shutdown.signal);
  if (connection === undefined) return shutdown.exitCode;
  const manager = createManager(managerOptions(options, settings, { connection, log }));
  log.info({ name, version, server: connection.server, namespaces: settings.namespaces ?? "all" }, "starting");
  try {
    await manager.run(shutdown.signal);
  } catch (err) {
    log.fatal({ err }, "the operator failed");
    return 1;
  }
  log.info("stopped");
  return shutdown.exitCode;
}

/** @returns `undefined` if the signal aborts first: a plugin that fetches credentials may take its time */
async function connect(
  { env }: OperatorOptions,
  { kubeconfig, context }: OperatorSettings,
  signal: AbortSignal,
): Promise<Connection | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  return Promise.race([loadConnection({ kubeconfig, context, env }), aborted]);
}

function managerOptions(
  { name, version, controllers }: OperatorOptions,
  settings: OperatorSettings,
  runtime: { readonly connection: Connection; readonly log: Logger },
): ManagerOptions {
  const { namespaces, health, metrics, maxConcurrentReconciles, leaderElect } = settings;
  return {
    name,
    version,
    controllers,
    ...runtime,
    ...(namespaces !== undefined && { namespaces }),
    ...(health !== undefined && { health }),
    ...(metrics !== undefined && { metrics }),
    ...(maxConcurrentReconciles !== undefined && { maxConcurrentReconciles }),
    ...(leaderElect && {
      leaderElection: { namespace: leaseNamespace(settings, runtime.connection) },
    }),
  };
}

function leaseNamespace({ leaderElectionNamespace }: OperatorSettings, { namespace }: Connection): string {
  const where = leaderElectionNamespace ?? namespace;
  if (where === undefined)
    throw new UsageError(
      "--leader-elect outside of a pod needs --leader-election-namespace, or a context with a namespace",
    );
  return where;
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
