import type { Operator } from "@trimtab/manager";
import { podSetController } from "./podset-controller.ts";

export const operator: Operator = { name: "podset-operator", controllers: [podSetController] };
