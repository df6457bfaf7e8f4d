import { runOperator } from "@trimtab/manager";
import { podSetController } from "./podset-controller.ts";

process.exitCode = await runOperator({
  name: "podset-operator",
  version: "0.1.0",
  controllers: [podSetController],
  argv: process.argv.slice(2),
  env: process.env,
});
