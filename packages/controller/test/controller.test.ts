import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ConfigMap, Namespace, Secret } from "@trimtab/apimachinery";
import { type Client, type Connection, createClient } from "@trimtab/client";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { done, requeueAfter, TerminalError } from "../src/index.ts";
import { connect, eventually, namespaceOf } from "./cluster.ts";
import { childrenOf, haveChildren, parent, startToy, type Toy, type ToyOptions } from "./toy.ts";

let connection: Connection;
let client: Client;
const toys: Toy[] = [];

beforeAll(async () => {
  ({ connection, client } = await connect());
});
afterAll(async () => {
  await Promise.all(toys.map((toy) => toy.stop()));
  client.close();
});

function start(options: Omit<ToyOptions, "connection">): Toy {
  const toy = startToy({ connection, ...options });
  toys.push(toy);
  return toy;
}

/** A toy in a namespace of its own. */
async function startAlone(
  options: Omit<ToyOptions, "connection" | "namespace"> = {},
): Promise<{ readonly toy: Toy; readonly own: string }> {
  const own = await namespaceOf(client, "controller");
  return { toy: start({ ...options, namespace: own }), own };
}

describe("Controller on a cluster", () => {
  it("sees its own writes at once, and so makes no child twice, however often its parent changes", async () => {
    const seen: [wanted: number, children: number][] = [];
    const { own } = await startAlone({
      reconcile: async (object, context) => {
        const result = await haveChildren(object, context);
        const { uid } = object.metadata;
        seen.push([Number(object.data?.["children"]), context.cache.list(Secret, { controller: uid }).length]);
        return result;
      },
    });
    const key = { namespace: own, name: "a" };
    await client.create(ConfigMap, parent(key, 3));
    for (const children of [4, 5, 6, 7, 8]) {
      await client.mergePatch(ConfigMap, key, { data: { children: `${children}` } });
    }
    await eventually(async () => seen.at(-1)?.[0] === 8);
    for (const [wanted, children] of seen) expect(children).toBe(wanted);
    expect(await childrenOf(client, own)).toEqual(new Map([[`${own}/a`, 8]]));
  });

  it("puts a child back that somebody deleted", async () => {
    const { own } = await startAlone();
    await client.create(ConfigMap, parent({ namespace: own, name: "a" }, 1));
    const child = async () => (await client.list(Secret, { namespace: own })).items[0];
    await eventually(async () => (await child()) !== undefined);
    const first = await child();
    await client.delete(Secret, { namespace: own, name: first?.metadata.name ?? "" });
    await eventually(async () => {
      const now = await child();
      return now !== undefined && now.metadata.uid !== first?.metadata.uid;
    });
  });

  it("never works on an object twice at once, and ends with its last state, under a storm of changes", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `parent-${i}`);
    const underWay = new Set<string>();
    const collisions: string[] = [];
    const last = new Map<string, string | undefined>();
    let most = 0;
    const { own } = await startAlone({
      reconcile: async (object, context) => {
        const { name } = object.metadata;
        if (underWay.has(name)) collisions.push(name);
        underWay.add(name);
        most = Math.max(most, underWay.size);
        await context.client.get(ConfigMap, object.metadata);
        last.set(name, object.data?.["children"]);
        underWay.delete(name);
        return done();
      },
    });
    await Promise.all(names.map((name) => client.create(ConfigMap, parent({ namespace: own, name }, 0))));
    for (let round = 1; round <= 20; round++) {
      const patch = { data: { children: `${round}` } };
      await Promise.all(names.map((name) => client.mergePatch(ConfigMap, { namespace: own, name }, patch)));
    }
    await eventually(async () => names.every((name) => last.get(name) === "20"));
    expect(collisions).toEqual([]);
    expect(most).toBeGreaterThan(1);
  });

  it("looks again quietly after a conflict", async () => {
    const outcomes: string[] = [];
    let meddled = false;
    const { toy, own } = await startAlone({
      observer: { ended: (outcome) => outcomes.push(outcome) },
      reconcile: async (object, context) => {
        if (!meddled) {
          meddled = true;
          await client.mergePatch(ConfigMap, object.metadata, { data: { meddled: "yes" } });
        }
        if (object.data?.["seen"] === "yes") return done();
        await context.client.update(ConfigMap, { ...object, data: { ...object.data, seen: "yes" } });
        return done();
      },
    });
    const key = { namespace: own, name: "a" };
    await client.create(ConfigMap, parent(key, 0));
    await eventually(async () => (await client.get(ConfigMap, key)).data?.["seen"] === "yes");
    expect((await client.get(ConfigMap, key)).data).toMatchObject({ meddled: "yes", seen: "yes" });
    expect(outcomes).toContain("conflict");
    expect(outcomes).not.toContain("error");
    expect(toy.lines.filter(({ level }) => level > 20)).toEqual([]);
  });

  it("retries errors with growing delays, looks again after requeueAfter, and does not retry a terminal error", async () => {
    const runs: string[] = [];
    const { toy, own } = await startAlone({
      reconcile: async () => {
        runs.push(`run ${runs.length + 1}`);
        if (runs.length <= 4) throw new Error("not yet");
        if (runs.length === 5) return requeueAfter("50ms");
        throw new TerminalError("never");
      },
    });
    const key = { namespace: own, name: "a" };
    await client.create(ConfigMap, parent(key, 0));
    await eventually(async () => runs.length === 6);
    const delays = toy.lines.map(({ retryInMs }) => retryInMs).filter((delay) => typeof delay === "number");
    expect(delays).toHaveLength(4);
    for (const [failures, delayMs] of delays.entries()) {
      expect(delayMs).toBeGreaterThanOrEqual(2.5 * 2 ** failures);
      expect(delayMs).toBeLessThanOrEqual(5 * 2 ** failures);
    }
    await client.mergePatch(ConfigMap, key, { data: { children: "1" } });
    await eventually(async () => runs.length === 7);
  });

  it("ends the requests of a reconcile that takes too long", async () => {
    const requests: unknown[] = [];
    const { own } = await startAlone({
      options: { reconcileTimeout: "100ms" },
      reconcile: async (_, { client: bound, signal }) => {
        await once(signal, "abort");
        requests.push(await bound.list(ConfigMap).catch((error: unknown) => error));
        return done();
      },
    });
    await client.create(ConfigMap, parent({ namespace: own, name: "a" }, 0));
    await eventually(async () => requests.length === 1);
    expect(requests[0]).toMatchObject({ message: "the reconcile has taken longer than its 100 ms" });
  });

  it("leaves a namespace that is being deleted alone, without an error", async () => {
    const outcomes: string[] = [];
    const own = await namespaceOf(client, "controller");
    const key = { namespace: own, name: "a" };
    await client.create(ConfigMap, {
      ...parent(key, 0),
      metadata: { ...key, labels: { role: "parent" }, finalizers: ["example.com/hold"] },
    });
    await client.delete(Namespace, { name: own });
    await eventually(async () => (await client.get(Namespace, { name: own })).status?.phase === "Terminating");
    const toy = start({ namespace: own, observer: { ended: (outcome) => outcomes.push(outcome) } });
    await client.mergePatch(ConfigMap, key, { data: { children: "2" } });
    await eventually(async () => toy.lines.some(({ msg }) => msg.includes("the namespace is being deleted")));
    expect(outcomes).not.toContain("error");
    expect(toy.lines.filter(({ level }) => level > 20)).toEqual([]);
    await client.mergePatch(ConfigMap, key, { metadata: { finalizers: null } });
  });

  it("names the rule that an operator lacks, going by what the API server really says", async () => {
    const own = await namespaceOf(client, "controller");
    const headers = async () => ({ ...(await connection.headers?.({ renew: false })), "impersonate-user": "nobody" });
    const asNobody = createClient({
      connection: { ...connection, headers },
      userAgent: "test",
      fieldManager: "test",
    });
    const toy = start({
      namespace: own,
      reconcile: async (object) => {
        await asNobody.create(Secret, { metadata: { namespace: own, name: object.metadata.name } });
        return done();
      },
    });
    await client.create(ConfigMap, parent({ namespace: own, name: "a" }, 0));
    await eventually(async () => toy.lines.some(({ level }) => level === 50));
    asNobody.close();
    expect(toy.lines.find(({ level }) => level === 50)).toMatchObject({
      missingRule: `nobody may not create secrets in the namespace ${own}: grant it {"apiGroups":[""],"resources":["secrets"],"verbs":["create"]} by a Role there`,
    });
  });

  it("converges after being killed again and again, with not one child too many", async () => {
    const own = await namespaceOf(client, "controller");
    const names = Array.from({ length: 30 }, (_, i) => `parent-${i}`);
    await Promise.all(names.map((name) => client.create(ConfigMap, parent({ namespace: own, name }, 5))));
    const main = fileURLToPath(new URL("./toy-main.ts", import.meta.url));
    const total = async () => [...(await childrenOf(client, own)).values()].reduce((sum, count) => sum + count, 0);

    for (const stopAt of [10, 60, 120, 150]) {
      const args = ["--conditions=@trimtab/source", main, inject("kubeconfigPath"), own];
      const toy = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
      const ended = once(toy, "exit");
      await eventually(async () => (await total()) >= stopAt);
      toy.kill("SIGKILL");
      await ended;
    }
    expect([...(await childrenOf(client, own)).values()]).toEqual(names.map(() => 5));
  });
});
