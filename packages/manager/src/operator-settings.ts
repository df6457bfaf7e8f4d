import { type BindAddress, parseBindAddress } from "./bind-address.ts";
import { booleanOf, readFlags } from "./flags.ts";
import { type LogFormat, type LogLevel, logFormats, logLevels } from "./logger.ts";
import { UsageError } from "./usage-error.ts";

/** What an operator's flags and environment amount to. */
export interface OperatorSettings {
  readonly asks?: "help" | "version";
  readonly kubeconfig?: string;
  readonly context?: string;
  /** @default all */
  readonly namespaces?: readonly string[];
  readonly metrics?: MetricsSettings;
  readonly health?: BindAddress;
  readonly leaderElect: boolean;
  readonly leaderElectionNamespace?: string;
  readonly logLevel: LogLevel;
  /** @default pretty on a terminal, json elsewhere */
  readonly logFormat?: LogFormat;
  readonly maxConcurrentReconciles?: number;
}

export interface MetricsSettings {
  readonly address: BindAddress;
  readonly secure: boolean;
  readonly certPath?: string;
}

/** @throws UsageError for what cannot be meant */
export function readSettings(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): OperatorSettings {
  const flags = readFlags(argv, env);
  const metricsAddress = parseBindAddress("metrics-bind-address", flags["metrics-bind-address"] ?? "0");
  const health = parseBindAddress("health-probe-bind-address", flags["health-probe-bind-address"] ?? ":8081");
  const namespaces = listOf(flags.namespaces ?? env["WATCH_NAMESPACE"]);
  const logFormat = oneOf("log-format", flags["log-format"], logFormats);
  const workers = flags["max-concurrent-reconciles"];
  const certPath = flags["metrics-cert-path"];
  return {
    ...(booleanOf("help", flags.help, false) && { asks: "help" }),
    ...(booleanOf("version", flags.version, false) && { asks: "version" }),
    ...(flags.kubeconfig !== undefined && { kubeconfig: flags.kubeconfig }),
    ...(flags.context !== undefined && { context: flags.context }),
    ...(namespaces.length > 0 && { namespaces }),
    ...(metricsAddress !== undefined && {
      metrics: {
        address: metricsAddress,
        secure: booleanOf("metrics-secure", flags["metrics-secure"], true),
        ...(certPath !== undefined && { certPath }),
      },
    }),
    ...(health !== undefined && { health }),
    leaderElect: booleanOf("leader-elect", flags["leader-elect"], false),
    ...(flags["leader-election-namespace"] !== undefined && {
      leaderElectionNamespace: flags["leader-election-namespace"],
    }),
    logLevel: oneOf("log-level", flags["log-level"], logLevels) ?? "info",
    ...(logFormat !== undefined && { logFormat }),
    ...(workers !== undefined && { maxConcurrentReconciles: countOf("max-concurrent-reconciles", workers) }),
  };
}

function listOf(text = ""): readonly string[] {
  return text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function oneOf<Choice extends string>(
  name: string,
  value: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new UsageError(`flag --${name} must be one of ${choices.join(", ")}, not "${value}"`);
  return choice;
}

function countOf(name: string, value: string): number {
  if (!/^[1-9][0-9]{0,3}$/.test(value)) throw new UsageError(`flag --${name} must be a number from 1, not "${value}"`);
  return Number(value);
}
