import { runOperator } from "@trimtab/manager";
import manifest from "../package.json" with { type: "json" };
import { operator } from "./operator.ts";

process.exitCode = await runOperator({
  ...operator,
  version: manifest.version,
  argv: process.argv.slice(2),
  env: process.env,
});
