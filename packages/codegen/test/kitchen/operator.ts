import { ConfigMap, Namespace } from "@trimtab/apimachinery";
import { controllerFor, done, enqueueRequests } from "@trimtab/controller";
import type { Operator } from "@trimtab/manager";
import { Kettle } from "./api/kettle.ts";

const kettleController = controllerFor(Kettle)
  .owns(ConfigMap, { labelSelector: { matchLabels: { app: "kettle" } } })
  .watches(
    Namespace,
    enqueueRequests(() => []),
  )
  .complete(async () => done());

/** Reads what is in no namespace, and owns what is. */
export const operator: Operator = { name: "kitchen", controllers: [kettleController] };
