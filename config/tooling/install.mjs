import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { node } from "./hand-over.mjs";
import { pnpm } from "./pnpm.mjs";
import { onceFor } from "./stamp.mjs";

const advice =
  "If the registry is out of reach (npm ping), try again later: it goes on where it stopped. If the lockfile is out of date: pnpm install.";

/** Brings node_modules, with Node 24 in it, to what the lockfile says. */
export async function install(options) {
  const inputs = ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests()];
  await onceFor("node_modules/.trimtab/installed", inputs, async () => {
    // A node_modules that another package manager has made is replaced without a question: nobody could answer it.
    const env = { CI: "true" };
    await pnpm(["install", "--frozen-lockfile"], { ...options, env, advice });
    if (!existsSync(node))
      throw new Error(
        `${node} is missing: does the npm configuration say ignore-scripts? Node 24 needs its install script`,
      );
  });
}

function manifests() {
  const folders = ["config/kustomize", "config/release", "config/tooling", "bench"];
  for (const parent of ["packages", "operators", "examples"])
    for (const name of readdirSync(parent)) folders.push(join(parent, name));
  return [".", ...folders].map((folder) => join(folder, "package.json")).filter((path) => existsSync(path));
}
