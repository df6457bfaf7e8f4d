import { demo } from "./demo.ts";
import { type Options, parseOptions, usage } from "./options.ts";

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
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      // Whoever asks twice does not want to wait; what is left is cleared away beside this process.
      if (stop.signal.aborted) process.exit(130);
      stop.abort();
    });
  // Nobody reads on: there is nobody to play for.
  process.stdout.on("error", () => stop.abort());
  return demo(options, process.env, stop.signal);
}
