import { demo } from "./demo.ts";
import { type Options, parseOptions, usage } from "./options.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

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
  for (const signal of signals)
    process.on(signal, () => {
      // Whoever asks twice does not want to wait; what is left is cleared away beside this process.
      if (stop.signal.aborted) endBy(signal);
      stop.abort(signal);
    });
  // Nobody reads on: there is nobody to play for.
  process.stdout.on("error", () => stop.abort("SIGPIPE"));
  try {
    return await demo(options, process.env, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    endBy(stop.signal.reason);
    return 1;
  }
}

/** As if nobody had listened for it. */
function endBy(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
