import { nearest } from "./nearest.ts";
import { UsageError } from "./usage-error.ts";

export type FlagName =
  | "context"
  | "health-probe-bind-address"
  | "help"
  | "kubeconfig"
  | "leader-elect"
  | "leader-election-namespace"
  | "log-format"
  | "log-level"
  | "max-concurrent-reconciles"
  | "metrics-bind-address"
  | "metrics-cert-path"
  | "metrics-secure"
  | "namespaces"
  | "version";

interface Flag {
  readonly kind: "text" | "boolean";
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly help: string;
}

/** Names and defaults are kubebuilder's wherever it has one. */
const flags: Readonly<Record<FlagName, Flag>> = {
  kubeconfig: {
    kind: "text",
    value: "FILE",
    help: "the kubeconfig to use (KUBECONFIG, else the pod's account, else ~/.kube/config)",
  },
  context: { kind: "text", value: "NAME", help: "the context in it (its current one)" },
  namespaces: { kind: "text", value: "A,B", help: "the namespaces to look after; also WATCH_NAMESPACE (all)" },
  "metrics-bind-address": {
    kind: "text",
    value: "ADDRESS",
    help: "where to serve /metrics, such as :8443; 0 is nowhere (0)",
  },
  "metrics-secure": { kind: "boolean", help: "serve metrics over TLS, to who may get them (true)" },
  "metrics-cert-path": {
    kind: "text",
    value: "FOLDER",
    help: "holds tls.crt and tls.key of the metrics server (one made at start)",
  },
  "health-probe-bind-address": {
    kind: "text",
    value: "ADDRESS",
    help: "where to serve /healthz and /readyz; 0 is nowhere (:8081)",
  },
  "leader-elect": { kind: "boolean", help: "be one of several replicas, of which one works (false)" },
  "leader-election-namespace": { kind: "text", value: "NAME", help: "where the lease is (the pod's namespace)" },
  "log-level": { kind: "text", value: "LEVEL", help: "trace, debug, info, warn, error or silent (info)" },
  "log-format": { kind: "text", value: "FORMAT", help: "json or pretty (pretty on a terminal)" },
  "max-concurrent-reconciles": { kind: "text", value: "N", help: "objects of a kind reconciled at once (8)" },
  help: { kind: "boolean", help: "print this" },
  version: { kind: "boolean", help: "print the version" },
};

const names = Object.keys(flags) as FlagName[];

/** What was given for each flag, as text; those given neither as a flag nor in the environment are absent. */
export type FlagValues = { readonly [Name in FlagName]?: string };

/**
 * Reads flags from the command line, and where it is silent from `TRIMTAB_…` in the environment.
 * Both `--name=value` and `--name value` are understood, and one dash for two, as in Go.
 *
 * @throws UsageError for an unknown flag, with the nearest known one, and for one that lacks its value
 */
export function readFlags(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): FlagValues {
  const values: { [Name in FlagName]?: string } = {};
  for (const name of names) {
    const value = env[variableOf(name)];
    if (value !== undefined && value !== "") values[name] = value;
  }
  const words = argv.values();
  for (const word of words) {
    const { name, inline } = parse(word);
    if (flags[name].kind === "boolean") values[name] = inline ?? "true";
    else {
      const value = inline ?? words.next().value;
      if (value === undefined || value === "") throw new UsageError(`flag --${name} needs a value`);
      values[name] = value;
    }
  }
  return values;
}

/** @throws UsageError unless it is a boolean as Go writes one */
export function booleanOf(name: FlagName, value: string | undefined, otherwise: boolean): boolean {
  switch (value) {
    case undefined:
      return otherwise;
    case "true":
    case "1":
      return true;
    case "false":
    case "0":
      return false;
    default:
      throw new UsageError(`flag --${name} must be true or false, not "${value}"`);
  }
}

export function helpText(program: string): string {
  const lines = names.map((name) => {
    const { value, help } = flags[name];
    return `  --${name}${value === undefined ? "" : ` ${value}`}\n      ${help}`;
  });
  return `usage: ${program} [flags]\n\n${lines.join("\n")}\n\nEach flag is also an environment variable: --log-level is ${variableOf("log-level")}.`;
}

function parse(word: string): { readonly name: FlagName; readonly inline: string | undefined } {
  const match = /^--?([^=-][^=]*)(?:=([\s\S]*))?$/.exec(word);
  if (match === null) throw new UsageError(`unexpected argument "${word}": there are only flags`);
  const [, name = "", inline] = match;
  if (isFlag(name)) return { name, inline };
  const near = nearest(name, names);
  throw new UsageError(
    `unknown flag --${name}${near === undefined ? "" : `: did you mean --${near}?`}; --help lists all`,
  );
}

function isFlag(name: string): name is FlagName {
  return Object.hasOwn(flags, name);
}

function variableOf(name: FlagName): string {
  return `TRIMTAB_${name.toUpperCase().replaceAll("-", "_")}`;
}
