import { buildImage } from "./build-image.ts";
import { type Options, parseOptions, usage } from "./options.ts";

/** `pnpm image`: an operator's image, in the store of the engine that built it. */
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());

process.exitCode = await main();

async function main(): Promise<number> {
  let options: Options;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    return 2;
  }
  const { operators, tag, base } = options;
  const shared = { directory: process.cwd(), env: process.env, signal: stop.signal, onLine: console.log, tag, base };
  try {
    for (const operator of operators) {
      const image = await buildImage({ ...shared, operator });
      console.log(`${image.tag} is built, by ${image.engine}`);
    }
    return 0;
  } catch (error) {
    if (!stop.signal.aborted) console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}
