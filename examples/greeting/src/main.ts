import { runOperator } from "@trimtab/manager";
import { greetingController } from "./greeting-controller.ts";

process.exitCode = await runOperator({
  name: "greeting-operator",
  version: "0.1.0",
  controllers: [greetingController],
  argv: process.argv.slice(2),
  env: process.env,
});
