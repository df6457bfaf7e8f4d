import type { Operator } from "@trimtab/manager";
import { multiSecretController } from "./multisecret-controller.ts";
import { orphanController } from "./orphan-controller.ts";

export const operator: Operator = { name: "secret-operator", controllers: [multiSecretController, orphanController] };
