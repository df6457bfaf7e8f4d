import { ConfigMap, controllerReference, formatKey, keyOf, Secret } from "@trimtab/apimachinery";
import { type ControllerDefinition, controllerFor, done, type Reconcile } from "@trimtab/controller";
import { Greeting } from "./greeting.ts";

const labels = { toy: "yes" };

/** Each does what the ConfigMap's `do` asks for: what an operator may meet, or be. */
const tricks: Readonly<Record<string, Reconcile<ConfigMap, ConfigMap | Secret>>> = {
  copy: async (configMap, { client, log, recorder }) => {
    const { name, namespace = "" } = configMap.metadata;
    await client.apply(Secret, {
      metadata: { name, namespace, labels, ownerReferences: [controllerReference(configMap)] },
      stringData: { of: formatKey(keyOf(configMap)) },
    });
    recorder.normal("Copied", `copied into Secret ${name}`);
    log.info("copied");
    return done();
  },
  takeTwoSeconds: async (_, { log }) => {
    log.info("begins");
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    log.info("ends");
    return done();
  },
  untilAborted: async (_, { log, signal }) => {
    log.info("begins");
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    log.info("is aborted");
    return done();
  },
  neverEnd: async (_, { log }) => {
    log.info("begins");
    setInterval(() => {}, 1_000);
    return new Promise(() => {});
  },
  rejectUnheard: async () => {
    void Promise.reject(new Error("nobody hears this"));
    return done();
  },
  makeBadSecret: async ({ metadata: { name, namespace = "" } }, { client }) => {
    await client.create(Secret, {
      metadata: { name, namespace },
      type: "kubernetes.io/dockerconfigjson",
      stringData: { ".dockerconfigjson": "hunter2, which is no JSON" },
    });
    return done();
  },
  quoteSecret: async () => {
    const cause = new Error('Secret "x" is invalid: data[password]: Invalid value: "hunter2": too short');
    throw new Error(`cannot copy: ${cause.message}`, { cause });
  },
};

export const copier: ControllerDefinition = controllerFor(ConfigMap, { labelSelector: { matchLabels: labels } })
  .owns(Secret, { labelSelector: { matchLabels: labels } })
  .complete(async (configMap, context) => {
    const trick = tricks[configMap.data?.["do"] ?? "copy"];
    return trick === undefined ? done() : trick(configMap, context);
  });

export const greeter: ControllerDefinition = controllerFor(Greeting).complete(async ({ spec }, { log }) => {
  log.info(`hello, ${spec.to}`);
  return done();
});
