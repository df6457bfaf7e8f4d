import { writeFileSync } from "node:fs";
import { Claims } from "./claims.ts";
import { endToEnd } from "./e2e.ts";
import { type Options, parseOptions, usage } from "./options.ts";

/** `npm run e2e`: the operators' images, run as they are installed. */
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());

process.exitCode = await main();

async function main(): Promise<number> {
  let options: Options;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    return 2;
  }
  if (options.help) {
    console.log(usage);
    return 0;
  }
  const claims = new Claims();
  try {
    await endToEnd({ root: process.cwd(), claims, env: process.env, signal: stop.signal });
  } catch (error) {
    if (!stop.signal.aborted) console.error(`\n${error instanceof Error ? error.message : error}`);
  }
  const { passed, failed } = claims;
  if (options.report !== undefined) writeFileSync(options.report, JSON.stringify({ passed, failed }));
  return stop.signal.aborted || failed > 0 || passed === 0 ? 1 : 0;
}
