import { once } from "node:events";
import { connectionFromKubeConfig, createClient } from "@trimtab/client";
import { showStep } from "@trimtab/tooling/step";
import { type Cluster, startCluster, userCluster } from "./cluster.ts";
import { createKubectl } from "./kubectl.ts";
import { installCrds, makeNamespaces, removeNamespaces } from "./manifests.ts";
import { memcachedAct } from "./memcached-act.ts";
import { multiSecretAct } from "./multisecret-act.ts";
import { operatorNames, startOperators } from "./operators.ts";
import type { Options } from "./options.ts";
import { play, type Stage } from "./play.ts";
import { podsetAct } from "./podset-act.ts";
import { showFailure, showHints, showVerdict } from "./screen.ts";
import { type Act, stageNamespaces } from "./story.ts";
import { agreesTo } from "./user-cluster.ts";

/** How long the clearing up of a user's cluster may take. */
const clearUpMs = 120_000;

/**
 * Plays the three tutorials' stories, and stays until the signal unless told to exit; takes away what it has made.
 *
 * @returns the exit code
 * @throws the signal's reason, if it came before the end of the story
 */
export async function demo(options: Options, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  await using made = new AsyncDisposableStack();
  try {
    const cluster =
      options.kubeconfig === undefined ? await startCluster(env, signal) : userCluster(options.kubeconfig, env);
    made.defer(() => cluster.stop());
    if (cluster.shared && !options.yes && !(await agreesTo(cluster, signal))) return 2;
    const held = await playOn(cluster, made, signal);
    if (!options.exit) {
      showHints(cluster, memcachedAct.sample);
      if (!signal.aborted) await once(signal, "abort");
    }
    return held ? 0 : 1;
  } catch (error) {
    signal.throwIfAborted();
    showFailure(error);
    return 1;
  }
}

/** Sets the stage, plays, and adds to `made` how what was made is taken away. @returns whether every step held */
async function playOn(cluster: Cluster, made: AsyncDisposableStack, signal: AbortSignal): Promise<boolean> {
  const { kubeConfig, kubeconfigPath, env, shared, stepTimeoutMs } = cluster;
  const client = createClient({
    connection: await connectionFromKubeConfig(kubeConfig),
    userAgent: "trimtab-demo",
    fieldManager: "trimtab-demo",
  });
  made.defer(() => client.close());

  const uninstall = await showStep("custom resource definitions", () => installCrds(client, operatorNames, signal));
  if (shared) made.defer(() => uninstall(AbortSignal.timeout(clearUpMs)));
  const operators = await showStep("three operators, each a process, ready", () =>
    startOperators({ kubeconfigPath, signal, ...(shared && { namespaces: stageNamespaces, env }) }),
  );
  made.defer(() => operators.stop());
  // Before the operators stop: some of what goes with the namespaces waits for them.
  if (shared)
    made.defer(() =>
      showStep("cleared away", () => removeNamespaces(client, stageNamespaces, AbortSignal.timeout(clearUpMs))),
    );
  await makeNamespaces(client, signal);

  const stage: Stage = { client, kubectl: createKubectl(cluster.kubectl, env), stepTimeoutMs };
  const perform = async <View>(act: Act<View>): Promise<boolean> => {
    try {
      await play(act, stage, signal);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      showFailure(error, await operators.report(act.operator));
      return false;
    }
  };
  const start = performance.now();
  const held = [await perform(memcachedAct), await perform(podsetAct), await perform(multiSecretAct)];
  showVerdict(held, performance.now() - start);
  return !held.includes(false);
}
