import { runOperator } from "@trimtab/manager";
import { memcachedController } from "./memcached-controller.ts";

process.exitCode = await runOperator({
  name: "memcached-operator",
  version: "0.1.0",
  controllers: [memcachedController],
  argv: process.argv.slice(2),
  env: process.env,
});
