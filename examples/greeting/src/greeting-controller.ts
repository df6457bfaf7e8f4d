import { ConfigMap, isDeleting } from "@trimtab/apimachinery";
import { controllerFor, done, type Reconcile } from "@trimtab/controller";
import { reportStatus } from "@trimtab/status";
import { Greeting } from "./api/v1alpha1/greeting.ts";
import { configMapFor } from "./config-map.ts";

const reconcile: Reconcile<Greeting, Greeting | ConfigMap> = async (greeting, context) => {
  if (isDeleting(greeting)) return done();
  const { metadata } = await context.client.apply(ConfigMap, configMapFor(greeting));
  await reportStatus(context, Greeting, greeting, {
    conditions: [{ type: "Ready", status: "True", reason: "Written", message: `ConfigMap ${metadata.name} says it` }],
  });
  return done();
};

export const greetingController = controllerFor(Greeting).owns(ConfigMap).complete(reconcile);
