import process from "node:process";
import { pnpm } from "./pnpm.mjs";

/** Runs a package script of that name wherever there is one; shows what those that fail have written, and nothing else. */
export async function turbo(script, options, flags = []) {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" };
  const { signal, advice } = options;
  await pnpm(["exec", "turbo", "run", script, "--output-logs=errors-only", "--continue", ...flags], {
    env,
    signal,
    advice,
  });
}
