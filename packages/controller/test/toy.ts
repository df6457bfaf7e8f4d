import {
  ConfigMap,
  controllerReference,
  formatKey,
  isDeleting,
  type KubeObject,
  keyOf,
  type ObjectKey,
  Secret,
} from "@trimtab/apimachinery";
import { createCache } from "@trimtab/cache";
import { type Client, type Connection, createClient, withMemory } from "@trimtab/client";
import pino from "pino";
import {
  Controller,
  type ControllerDefinition,
  type ControllerObserver,
  type ControllerOptions,
  controllerFor,
  done,
  informersOf,
  type Reconcile,
  type SourceOptions,
} from "../src/index.ts";
import type { LogLine } from "./controller-run.ts";

const parents: SourceOptions<ConfigMap> = { labelSelector: { matchLabels: { role: "parent" } } };

/**
 * Gives a ConfigMap as many Secrets as its `data.children` says. Their names are the API server's choice, so that
 * one which the cache does not show would be made twice.
 */
export const haveChildren: Reconcile<ConfigMap, ConfigMap | Secret> = async (parent, { cache, client }) => {
  const { namespace, name, uid } = parent.metadata;
  const wanted = Number(parent.data?.["children"] ?? 0);
  const children = cache
    .list(Secret, { namespace: namespace ?? "", controller: uid })
    .filter((child) => !isDeleting(child));
  for (let count = children.length; count < wanted; count += 1) {
    await client.create(Secret, {
      metadata: {
        ...(namespace !== undefined && { namespace }),
        generateName: `${name}-`,
        ownerReferences: [controllerReference(parent)],
      },
    });
  }
  for (const child of children.slice(wanted)) {
    await client.delete(Secret, keyOf(child), { uid: child.metadata.uid });
  }
  return done();
};

/** A controller of the ConfigMaps that are labelled as parents, which owns Secrets. */
export function toyController(
  reconcile: Reconcile<ConfigMap, ConfigMap | Secret>,
  options: ControllerOptions,
): ControllerDefinition {
  return controllerFor(ConfigMap, { ...parents, calls: ["get", "update"] })
    .owns(Secret)
    .complete(reconcile, { name: "toy", ...options });
}

export interface Toy {
  readonly controller: Controller;
  readonly lines: readonly LogLine[];
  stop(): Promise<void>;
}

export interface ToyOptions {
  readonly connection: Connection;
  readonly namespace: string;
  readonly reconcile?: Reconcile<ConfigMap, ConfigMap | Secret>;
  readonly options?: ControllerOptions;
  readonly observer?: ControllerObserver;
}

/** Runs the toy as a manager would. */
export function startToy({ connection, namespace, reconcile = haveChildren, options = {}, observer }: ToyOptions): Toy {
  const definition = toyController(reconcile, options);
  const direct = createClient({ connection, userAgent: "toy/0 trimtab", fieldManager: "toy" });
  const cache = createCache({
    client: direct,
    fieldManager: "toy",
    freeze: true,
    informers: informersOf([definition], [namespace]),
  });
  const lines: LogLine[] = [];
  const silent = { normal: () => {}, warning: () => {} };
  const controller = new Controller(definition, {
    cache,
    client: withMemory(direct, cache.memory),
    log: pino({ level: "debug" }, { write: (line) => lines.push(JSON.parse(line)) }),
    events: { recorderFor: () => silent, flush: async () => {} },
    ...(observer !== undefined && { observer }),
  });

  const stop = new AbortController();
  const ended = Promise.all([cache.run(stop.signal), controller.run(stop.signal, new AbortController().signal)]);
  return {
    controller,
    lines,
    async stop() {
      stop.abort();
      await ended;
      direct.close();
    },
  };
}

export function parent(
  key: ObjectKey,
  children: number,
): Parameters<Client["create"]>[1] & { data: Record<string, string> } {
  return { metadata: { ...key, labels: { role: "parent" } }, data: { children: `${children}` } };
}

/** How many children each parent has in the cluster, by its key. */
export async function childrenOf(client: Client, namespace: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const { items } = await client.list(Secret, { namespace });
  for (const { metadata } of items as readonly KubeObject[]) {
    const owner = metadata.ownerReferences?.[0]?.name;
    if (owner === undefined) continue;
    const key = formatKey({ namespace, name: owner });
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
