import { parseArgs } from "node:util";

export const usage = `npm run demo -- [options]
  --exit             end after the story; the exit code says whether every step held
  --kubeconfig FILE  play on a cluster of your own instead; asks before it writes
  --yes              do not ask
  --help             this`;

export interface Options {
  readonly exit: boolean;
  /** The user's own cluster. @default a control plane that the demo starts */
  readonly kubeconfig?: string;
  readonly yes: boolean;
  readonly help: boolean;
}

/** Throws a TypeError on an argument that is not in `usage`. */
export function parseOptions(args: readonly string[]): Options {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { exit: flag, kubeconfig: { type: "string" }, yes: flag, help: flag },
  });
  const { kubeconfig, ...rest } = values;
  return { ...rest, ...(kubeconfig !== undefined && { kubeconfig }) };
}
