import { readFileSync } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { run } from "./run.mjs";

/** Runs the pnpm that package.json names, through npx: it need not be installed. */
export async function pnpm(args, options) {
  const { packageManager } = JSON.parse(readFileSync("package.json", "utf8"));
  const env = { ...process.env, ...options.env, npm_config_loglevel: "error", npm_config_update_notifier: "false" };
  await run([...npm(), "exec", "--yes", `--package=${packageManager}`, "--", "pnpm", ...args], { ...options, env });
}

/** The npm that runs this, where that is so. */
function npm() {
  const { npm_execpath: path } = process.env;
  return path !== undefined && basename(path) === "npm-cli.js" ? [process.execPath, path] : ["npm"];
}
