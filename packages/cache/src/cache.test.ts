import { ConfigMap, Secret } from "@trimtab/apimachinery";
import { describe, expect, it, onTestFinished } from "vitest";
import { configMap } from "../test/config-map.ts";
import { ScriptedClient } from "../test/scripted-client.ts";
import { type Cache, type CacheOptions, createCache } from "./cache.ts";

const a = { namespace: "team", name: "a" };

function startCache({ client }: ScriptedClient, options: Partial<CacheOptions> = {}): Cache {
  const cache = createCache({ client, fieldManager: "mine", informers: [{ type: ConfigMap }], ...options });
  const stop = new AbortController();
  const running = cache.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  return cache;
}

describe("Cache", () => {
  it("reads what its informers hold, by any value that names the type", async () => {
    const server = new ScriptedClient();
    const cache = startCache(server);
    (await server.watch()).open().added(configMap("a", 1)).bookmark("5", true);
    await cache.whenSynced([ConfigMap], new AbortController().signal);
    expect(cache.reader.get({ ...ConfigMap }, a)?.metadata.name).toBe("a");
    expect(cache.reader.list(ConfigMap)).toHaveLength(1);
    expect(cache.memory.recall(ConfigMap, a)).toBeDefined();
  });

  it("throws on a kind that no informer holds, and says what to do", () => {
    const cache = startCache(new ScriptedClient());
    const fix = /no informer holds secrets of v1: declare the kind with `.owns` or `.watches`/;
    expect(() => cache.reader.get(Secret, a)).toThrow(fix);
    expect(() => cache.reader.list(Secret)).toThrow(fix);
    expect(() => cache.onEvent(Secret, () => undefined)).toThrow(fix);
  });

  it("knows nothing of a kind that no informer holds, and takes no writes of it", () => {
    const cache = startCache(new ScriptedClient());
    cache.memory.wrote(Secret, configMap("a", 1));
    cache.memory.deleted(Secret, a, "uid-of-a");
    expect(cache.memory.recall(Secret, a)).toBeUndefined();
  });

  it("says which kinds it watches, and where", () => {
    const everywhere = startCache(new ScriptedClient()).reader;
    expect(everywhere.watches(ConfigMap)).toBe(true);
    expect(everywhere.watches(ConfigMap, "team")).toBe(true);
    expect(everywhere.watches(Secret)).toBe(false);
    const informers = [{ type: ConfigMap, namespaces: ["team"] }];
    const team = startCache(new ScriptedClient(), { informers }).reader;
    expect(team.watches(ConfigMap)).toBe(false);
    expect(team.watches(ConfigMap, "team")).toBe(true);
    expect(team.watches(ConfigMap, "other")).toBe(false);
  });

  it("refuses two informers of one kind", () => {
    const { client } = new ScriptedClient();
    const informers = [{ type: ConfigMap }, { type: { ...ConfigMap } }];
    expect(() => createCache({ client, fieldManager: "mine", informers })).toThrow("two informers of configmaps of v1");
  });

  it("stops waiting for a kind to sync when the signal aborts", async () => {
    const cache = startCache(new ScriptedClient());
    const stop = new AbortController();
    const waiting = cache.whenSynced([ConfigMap], stop.signal);
    const reason = new Error("shutting down");
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(cache.whenSynced([ConfigMap], stop.signal)).rejects.toBe(reason);
  });

  it("goes on when onHealth throws, and reports that", async () => {
    const server = new ScriptedClient();
    const cause = new Error("a bug");
    const errors: Error[] = [];
    const cache = startCache(server, {
      onHealth: () => {
        throw cause;
      },
      onListenerError: (error) => errors.push(error),
    });
    (await server.watch()).open().bookmark("5", true);
    await cache.whenSynced([ConfigMap], new AbortController().signal);
    expect(errors).toMatchObject([{ message: "onHealth threw when told that the ConfigMap informer is alive", cause }]);
  });

  it("has no health to report of kinds it does not hold", () => {
    expect(startCache(new ScriptedClient()).health()).toMatchObject([{ type: { kind: "ConfigMap" } }]);
  });
});
