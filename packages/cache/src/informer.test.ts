import type { ConfigMap } from "@trimtab/apimachinery";
import { ApiError, TransportError } from "@trimtab/client";
import { describe, expect, it } from "vitest";
import { configMap, versionsOf } from "../test/config-map.ts";
import { InformerUnderTest } from "../test/informer-under-test.ts";
import { ScriptedList } from "../test/scripted-client.ts";

const a = { namespace: "team", name: "a" };
const expired = new ApiError("too old", { reason: "Expired", statusCode: 410 });
const forbidden = new ApiError("not there", { reason: "Forbidden", statusCode: 403 });

describe("Informer", () => {
  describe("events", () => {
    it("tells of an object that appears, changes and goes", async () => {
      const test = new InformerUnderTest();
      (await test.synced("5")).added(configMap("a", 6)).modified(configMap("a", 7)).deleted(configMap("a", 8));
      expect(await test.news()).toEqual(["added a@6", "updated a@6→7", "deleted a@8"]);
      expect(test.informer.get(a)).toBeUndefined();
    });

    it("says which events are of the first list", async () => {
      const test = new InformerUnderTest();
      const initial: boolean[] = [];
      test.informer.onEvent((_, details) => initial.push(details.initial));
      const watch = await test.synced("5", configMap("a", 1));
      watch.added(configMap("b", 6)).fail(expired);
      (await test.server.watch()).open().added(configMap("a", 1), configMap("c", 8)).bookmark("9", true);
      await test.news();
      expect(initial).toEqual([true, false, false, false]);
    });

    it("has told its listeners of the first list when it has synced", async () => {
      const test = new InformerUnderTest();
      await test.synced("5", configMap("a", 1), configMap("b", 2));
      expect(test.events).toEqual(["added a@1", "added b@2"]);
    });

    it("tells of a list only when all of it can be read", async () => {
      const test = new InformerUnderTest();
      const read: (readonly string[])[] = [];
      test.informer.onEvent(() => read.push(versionsOf(test.informer.list({}))));
      const watch = await test.synced("5", configMap("a", 1), configMap("b", 2));
      watch.fail(expired);
      (await test.server.watch()).open().added(configMap("b", 7), configMap("c", 8)).bookmark("9", true);
      await test.news();
      expect(read.slice(0, 2)).toEqual(Array(2).fill(["a@1", "b@2"]));
      expect(read.slice(2)).toEqual(Array(3).fill(["b@7", "c@8"]));
    });

    it("goes on when a listener throws, tells the others, and reports it", async () => {
      const test = new InformerUnderTest();
      const cause = new Error("a bug");
      const told: string[] = [];
      test.informer.onEvent(() => {
        throw cause;
      });
      test.informer.onEvent(({ type }) => told.push(type));
      (await test.synced("5", configMap("a", 1))).deleted(configMap("a", 6));
      await test.news();
      expect(told).toEqual(["added", "deleted"]);
      expect(test.errors).toMatchObject([
        { message: "a listener threw when told that ConfigMap team/a was added", cause },
        { message: "a listener threw when told that ConfigMap team/a was deleted", cause },
      ]);
    });

    it("takes nothing that a watch shows again", async () => {
      const test = new InformerUnderTest();
      (await test.synced("5")).added(configMap("a", 7)).modified(configMap("a", 7), configMap("a", 6));
      expect(await test.news()).toEqual(["added a@7"]);
      expect(test.informer.get(a)?.metadata.resourceVersion).toBe("7");
    });

    it("leaves an object in place when the deletion of its predecessor arrives", async () => {
      const test = new InformerUnderTest();
      (await test.synced("5", configMap("a", 4))).deleted(configMap("a", 6, { uid: "a predecessor" }));
      expect(await test.news()).toEqual(["added a@4"]);
      expect(test.informer.get(a)).toBeDefined();
    });

    it("tells of an object that was made anew as deleted and added", async () => {
      const test = new InformerUnderTest();
      (await test.synced("5", configMap("a", 4))).modified(configMap("a", 7, { uid: "another" }));
      expect(await test.news()).toEqual(["added a@4", "deleted a@4", "added a@7"]);
    });
  });

  describe("own writes", () => {
    it("are read at once, and told when the watch shows them", async () => {
      const test = new InformerUnderTest();
      const watch = await test.synced("5", configMap("a", 4));
      test.informer.wrote(configMap("a", 7));
      expect(test.informer.get(a)?.metadata.resourceVersion).toBe("7");
      expect(await test.news()).toEqual(["added a@4"]);
      watch.modified(configMap("a", 6)).modified(configMap("a", 7));
      expect(await test.news()).toEqual(["updated a@4→6", "updated a@6→7"]);
    });

    it("are found by their controller", async () => {
      const test = new InformerUnderTest();
      await test.synced("5");
      const owner = { apiVersion: "v1", kind: "Owner", name: "owner", uid: "owner", controller: true };
      test.informer.wrote(configMap("a", 7, { ownerReferences: [owner] }));
      expect(versionsOf(test.informer.list({ controller: "owner" }))).toEqual(["a@7"]);
    });

    it("survive a list of an older state", async () => {
      const test = new InformerUnderTest();
      const watch = await test.synced("5", configMap("a", 4));
      test.informer.wrote(configMap("a", 9));
      test.informer.wrote(configMap("b", 10));
      watch.fail(expired);
      (await test.server.watch()).open().added(configMap("a", 6)).bookmark("8", true);
      expect(await test.news()).toEqual(["added a@4", "updated a@4→6"]);
      expect(versionsOf(test.informer.list({}))).toEqual(["a@9", "b@10"]);
    });

    it("give way to a list of a newer state, and what was made and deleted meanwhile is told of", async () => {
      const test = new InformerUnderTest();
      const watch = await test.synced("5", configMap("a", 4));
      test.informer.wrote(configMap("a", 9));
      test.informer.wrote(configMap("b", 10));
      watch.fail(expired);
      (await test.server.watch()).open().added(configMap("a", 11)).bookmark("12", true);
      expect(await test.news()).toEqual(["added a@4", "updated a@4→11", "deleted b@10"]);
      expect(versionsOf(test.informer.list({}))).toEqual(["a@11"]);
    });

    it("made before the first list are in it", async () => {
      const test = new InformerUnderTest().run();
      const watch = await test.server.watch();
      test.informer.wrote(configMap("a", 7));
      watch.open().added(configMap("b", 4)).bookmark("5", true);
      await test.informer.synced;
      expect(versionsOf(test.informer.list({}))).toEqual(["a@7", "b@4"]);
      expect(test.events).toEqual(["added b@4"]);
    });

    it("outside the selection or the namespaces are not taken up", async () => {
      const test = new InformerUnderTest({ namespaces: ["team"], labelSelector: { matchLabels: { app: "x" } } });
      await test.synced("5");
      test.informer.wrote(configMap("a", 7));
      test.informer.wrote(configMap("b", 8, { labels: { app: "x" }, namespace: "other" }));
      test.informer.wrote(configMap("c", 9, { labels: { app: "x" } }));
      expect(versionsOf(test.informer.list({}))).toEqual(["c@9"]);
    });

    it("leave the answer that the writer holds as it is", async () => {
      const test = new InformerUnderTest();
      await test.synced("5");
      const answer = configMap("a", 7, { managedFields: [{ manager: "mine" }, { manager: "kubectl" }] });
      test.informer.wrote(answer);
      expect(answer.metadata.managedFields).toHaveLength(2);
      expect(test.informer.get(a)?.metadata.managedFields).toHaveLength(1);
    });

    it("leave that answer as it is also where transform cuts objects down in place", async () => {
      const cutInPlace = (object: ConfigMap): ConfigMap => {
        delete (object.data as { version?: string }).version;
        delete (object.metadata.labels as { kept?: string }).kept;
        return object;
      };
      const test = new InformerUnderTest({ transform: cutInPlace });
      await test.synced("5");
      const answer = configMap("a", 6, { labels: { kept: "yes" } });
      test.informer.wrote(answer);
      expect(answer).toEqual(configMap("a", 6, { labels: { kept: "yes" } }));
      const held = test.informer.get(a);
      expect([held?.data, held?.metadata.labels]).toEqual([{}, {}]);
    });

    it("that delete are read at once", async () => {
      const test = new InformerUnderTest();
      const watch = await test.synced("5", configMap("a", 4));
      test.informer.deleted(a, "uid-of-a");
      expect(test.informer.get(a)).toBeUndefined();
      watch.deleted(configMap("a", 6));
      expect(await test.news()).toEqual(["added a@4", "deleted a@6"]);
    });
  });

  describe("recall", () => {
    it("knows an object, or its absence, once all has been listed", async () => {
      const test = new InformerUnderTest();
      expect(test.informer.recall(a)).toBeUndefined();
      await test.synced("5", configMap("a", 4));
      expect(test.informer.recall(a)).toMatchObject({ metadata: { name: "a" } });
      expect(test.informer.recall({ namespace: "team", name: "b" })).toBe("absent");
    });

    it("takes what is not of the selection to be absent", async () => {
      const test = new InformerUnderTest({ labelSelector: { matchLabels: { app: "x" } } });
      await test.synced("5", configMap("a", 4, { labels: { app: "x" } }));
      expect(test.informer.recall(a)).toBeDefined();
      expect(test.informer.recall({ namespace: "team", name: "b" })).toBe("absent");
    });

    it("does not pass off for the object what transform left of it", async () => {
      const transform = ({ data: _, ...rest }: ConfigMap): ConfigMap => rest;
      const test = new InformerUnderTest({ transform });
      await test.synced("5", configMap("a", 4));
      expect(test.informer.get(a)).toBeDefined();
      expect(test.informer.recall(a)).toBeUndefined();
    });

    it("knows nothing of namespaces that are not watched", async () => {
      const test = new InformerUnderTest({ namespaces: ["team"] });
      await test.synced("5");
      expect(test.informer.recall({ namespace: "other", name: "a" })).toBeUndefined();
    });
  });

  describe("with namespaces", () => {
    it("watches each, and has synced when all have", async () => {
      const test = new InformerUnderTest({ namespaces: ["team", "other"] }).run();
      const team = await test.server.watch();
      const other = await test.server.watch();
      expect([team.options.namespace, other.options.namespace]).toEqual(["team", "other"]);
      team.open().added(configMap("a", 1)).bookmark("5", true);
      expect(await test.news()).toEqual(["added a@1"]);
      expect(test.informer.health()).toMatchObject([
        { namespace: "team", synced: true },
        { namespace: "other", synced: false },
      ]);
      other
        .open()
        .added(configMap("b", 2, { namespace: "other" }))
        .bookmark("6", true);
      await test.informer.synced;
      expect(versionsOf(test.informer.list({}))).toEqual(["a@1", "b@2"]);
    });

    it("misses nothing of one namespace in a list of the other", async () => {
      const test = new InformerUnderTest({ namespaces: ["team", "other"] }).run();
      const team = (await test.server.watch()).open().added(configMap("a", 1)).bookmark("5", true);
      (await test.server.watch())
        .open()
        .added(configMap("b", 2, { namespace: "other" }))
        .bookmark("6", true);
      await test.informer.synced;
      await test.news();
      team.fail(expired);
      (await test.server.watch()).open().bookmark("8", true);
      expect(await test.news()).toEqual(["deleted a@1"]);
    });

    it("refuses to read from a namespace that is not watched, and says what is", async () => {
      const test = new InformerUnderTest({ namespaces: ["team"] });
      await test.synced("5");
      const refusal = "ConfigMap objects are watched in team only: add namespace other to those of the manager";
      expect(() => test.informer.get({ namespace: "other", name: "a" })).toThrow(refusal);
      expect(() => test.informer.list({ namespace: "other" })).toThrow(refusal);
    });

    it("waits for none that is forbidden, unless all are, and passes it off for nothing", async () => {
      const test = new InformerUnderTest({ namespaces: ["team", "other"] }).run();
      const { informer, server } = test;
      const team = await server.watch();
      (await server.watch()).fail(forbidden);
      const again = await server.watch();
      again.fail(forbidden);
      expect(informer.forbidden("other")).toBe(forbidden);
      team.open().bookmark("5", true);
      await informer.synced;
      expect(informer.forbidden("team")).toBeUndefined();
      expect(informer.list({})).toEqual([]);
      const unseen = expect.objectContaining({
        message: "ConfigMap objects of namespace other cannot be seen",
        cause: forbidden,
      });
      expect(() => informer.list({ namespace: "other" })).toThrow(unseen);
      expect(() => informer.get({ namespace: "other", name: "b" })).toThrow(unseen);
      expect(informer.recall({ namespace: "other", name: "b" })).toBeUndefined();

      const b = configMap("b", 6, { namespace: "other" });
      (await server.watch()).open().added(b).bookmark("6", true);
      expect(await test.news()).toEqual(["added b@6"]);
      expect(informer.forbidden("other")).toBeUndefined();
      expect(versionsOf(informer.list({ namespace: "other" }))).toEqual(["b@6"]);
    });

    it.each([
      [
        "turns requests away",
        new ApiError("storage is (re)initializing", { reason: "TooManyRequests", statusCode: 429 }),
      ],
      ["is unwell", new ApiError("no etcd", { reason: "ServiceUnavailable", statusCode: 503 })],
      ["is away", new TransportError("socket hang up")],
    ])("does not see into one that was forbidden, once synced, though the API server %s by now", async (_, error) => {
      const test = new InformerUnderTest({ namespaces: ["team", "other"] }).run();
      const { informer, server } = test;
      (await server.watch()).open().bookmark("5", true);
      (await server.watch()).fail(forbidden);
      await informer.synced;
      (await server.watch()).fail(error);
      const again = error instanceof TransportError ? await server.list() : await server.watch();
      expect(informer.health()).toMatchObject([{ state: "alive" }, { state: "failing", error }]);
      expect(informer.forbidden("other")).toBe(forbidden);
      const unseen = expect.objectContaining({ cause: forbidden });
      expect(() => informer.get({ namespace: "other", name: "b" })).toThrow(unseen);
      expect(() => informer.list({ namespace: "other" })).toThrow(unseen);

      if (again instanceof ScriptedList) again.answer([], "6");
      else again.open().bookmark("6", true);
      await test.news();
      expect(informer.forbidden("other")).toBeUndefined();
      expect(informer.get({ namespace: "other", name: "b" })).toBeUndefined();
    });

    it("waits again for one that was forbidden, and fails otherwise before the rest is listed", async () => {
      const { informer, server } = new InformerUnderTest({ namespaces: ["team", "other"] }).run();
      const team = await server.watch();
      (await server.watch()).fail(forbidden);
      (await server.watch()).fail(new ApiError("no etcd", { reason: "ServiceUnavailable", statusCode: 503 }));
      const again = await server.watch();
      team.open().bookmark("5", true);
      const pending = Symbol("pending");
      await new Promise((resolve) => setImmediate(resolve));
      expect(await Promise.race([informer.synced, Promise.resolve(pending)])).toBe(pending);
      again.open().bookmark("6", true);
      await informer.synced;
    });

    it("waits for one whose list fails otherwise", async () => {
      const { informer, server } = new InformerUnderTest({ namespaces: ["team", "other"] }).run();
      (await server.watch()).open().bookmark("5", true);
      (await server.watch()).fail(new ApiError("no such kind", { reason: "NotFound", statusCode: 404 }));
      (await server.watch()).open();
      const pending = Symbol("pending");
      expect(await Promise.race([informer.synced, Promise.resolve(pending)])).toBe(pending);
      expect(informer.forbidden("other")).toBeUndefined();
    });

    it("refuses to watch none", () => {
      expect(() => new InformerUnderTest({ namespaces: [] })).toThrow("no namespace to watch configmaps in");
    });
  });

  it("asks for its selection in every list and watch", async () => {
    const selection = { labelSelector: { matchLabels: { app: "x" } }, fieldSelector: "metadata.name!=y" };
    const test = new InformerUnderTest(selection).run();
    const first = await test.server.watch();
    expect(first.options).toMatchObject(selection);
    first.fail(new ApiError("no", { reason: "Invalid", statusCode: 422 }));
    const list = await test.server.list();
    expect(list.options).toMatchObject(selection);
    list.answer([], "5");
    expect((await test.server.watch()).options).toMatchObject(selection);
  });
});
