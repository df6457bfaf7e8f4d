import { runOperator } from "@trimtab/manager";
import { multiSecretController } from "./multisecret-controller.ts";
import { orphanController } from "./orphan-controller.ts";

process.exitCode = await runOperator({
  name: "secret-operator",
  version: "0.1.0",
  controllers: [multiSecretController, orphanController],
  argv: process.argv.slice(2),
  env: process.env,
});
