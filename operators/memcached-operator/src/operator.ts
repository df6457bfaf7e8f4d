import type { Operator } from "@trimtab/manager";
import { memcachedController } from "./memcached-controller.ts";

export const operator: Operator = { name: "memcached-operator", controllers: [memcachedController] };
