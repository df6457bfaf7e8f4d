import { parseArgs } from "node:util";

export interface Options {
  /** Where to write how many claims held, as JSON. */
  readonly report: string | undefined;
  readonly help: boolean;
}

export const usage = `npm run e2e -- [--report FILE]

Builds the three images, sends them through a registry, and runs them as their Deployments say: each operator alone, then the
three together, from install to uninstall. As root; on Debian, what is missing is installed, by apt-get. Where systemd runs, the service
docker-registry that then starts is disabled at once.

  --report  writes {"passed": N, "failed": N} to FILE`;

/** @throws {TypeError} if they make no sense */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { report: { type: "string" }, help: { type: "boolean", short: "h", default: false } },
  });
  return { report: values.report, help: values.help };
}
