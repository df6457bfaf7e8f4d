import { runOperator } from "@trimtab/manager";
import operator from "../package.json" with { type: "json" };
import { memcachedController } from "./memcached-controller.ts";

process.exitCode = await runOperator({
  name: "memcached-operator",
  version: operator.version,
  controllers: [memcachedController],
  argv: process.argv.slice(2),
  env: process.env,
});
