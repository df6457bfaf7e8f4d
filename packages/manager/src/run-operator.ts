import { type Connection, ConnectionError, loadConnection } from "@trimtab/client";
import type { ControllerDefinition } from "@trimtab/controller";
import type { Logger } from "pino";
import { helpText } from "./flags.ts";
import { createLogger } from "./logger.ts";
import { createManager } from "./manager.ts";
import { type OperatorSettings, readSettings } from "./operator-settings.ts";
import { shutdownSignal } from "./shutdown-signal.ts";
import { UsageError } from "./usage-error.ts";

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

/**
 * Runs an operator as a process, by flags and environment, until SIGTERM or SIGINT.
 *
 * @returns its exit code: 0 if it was asked to stop, 1 if it failed, 2 if it was called wrongly
 */
export async function runOperator(options: OperatorOptions): Promise<number> {
  try {
    const settings = readSettings(options.argv, options.env);
    if (settings.asks === "help") return say(helpText(options.name));
    if (settings.asks === "version") return say(`${options.name} ${options.version}`);
    const { kubeconfig, context } = settings;
    const connection = await loadConnection({ kubeconfig, context, env: options.env });
    return await serve(options, settings, connection);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ConnectionError)) throw error;
    process.stderr.write(`${options.name}: ${error.message}\n`);
    return 2;
  }
}

async function serve(options: OperatorOptions, settings: OperatorSettings, connection: Connection): Promise<number> {
  const { name, version, controllers } = options;
  const format = settings.logFormat ?? (process.stdout.isTTY ? "pretty" : "json");
  const log = await createLogger({ level: settings.logLevel, format });
  const shutdown = shutdownSignal(log);
  const { namespaces, health, metrics, maxConcurrentReconciles } = settings;
  const manager = createManager({
    name,
    version,
    connection,
    controllers,
    log,
    ...(namespaces !== undefined && { namespaces }),
    ...(health !== undefined && { health }),
    ...(metrics !== undefined && { metrics }),
    ...(maxConcurrentReconciles !== undefined && { maxConcurrentReconciles }),
    ...(settings.leaderElect && {
      leaderElection: { namespace: leaseNamespace(settings, connection), leaseName: `${name}-leader` },
    }),
  });
  log.info({ version, server: connection.server, namespaces: namespaces ?? "all" }, "starting");
  try {
    await manager.run(shutdown.signal);
  } catch (err) {
    return failed(log, err);
  }
  log.info("stopped");
  return shutdown.exitCode;
}

function failed(log: Logger, err: unknown): number {
  log.fatal({ err }, err instanceof Error ? err.message : "the manager failed");
  return 1;
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
