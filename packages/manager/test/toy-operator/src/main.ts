import { runOperator } from "@trimtab/manager";
import { copier, greeter } from "./controllers.ts";

process.exitCode = await runOperator({
  name: "toy-operator",
  version: "1.2.3",
  controllers: process.env["TOY_GREETS"] === undefined ? [copier] : [copier, greeter],
  argv: process.argv.slice(2),
  env: process.env,
});
