import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pnpm } from "./pnpm.mjs";
import { onceFor } from "./stamp.mjs";

const advice = "Mend what it names, then run the same command again; `npm run check` shows type errors.";
const inputs = ["pnpm-lock.yaml", "turbo.json", "tsconfig.base.json", "config/tooling", "packages", "operators"];

/** Bundles each operator into its dist/main.js. */
export async function build(options) {
  const env = { TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" };
  await onceFor(
    "node_modules/.trimtab/built",
    inputs,
    () =>
      pnpm(["exec", "turbo", "run", "build", "--filter=./operators/*", "--output-logs=errors-only"], {
        ...options,
        env,
        advice,
      }),
    readdirSync("operators").map((name) => join("operators", name, "dist/main.js")),
  );
}
