import { readdirSync } from "node:fs";
import { join } from "node:path";
import { onceFor } from "./stamp.mjs";
import { turbo } from "./turbo.mjs";

const advice = "Mend what it names, then run the same command again; `npm run check` shows type errors.";
const inputs = ["pnpm-lock.yaml", "turbo.json", "tsconfig.base.json", "config/tooling", "packages", "operators"];

/** Bundles each operator into its dist/main.js. */
export async function build({ signal }) {
  const outputs = readdirSync("operators").map((name) => join("operators", name, "dist/main.js"));
  const work = () => turbo("build", { signal, advice }, ["--filter=./operators/*"]);
  await onceFor("node_modules/.trimtab/built", inputs, work, outputs);
}
