import { ConfigMap } from "@trimtab/apimachinery";
import { ApiError, type ApiErrorReason, TransportError } from "@trimtab/client";
import { describe, expect, it } from "vitest";
import { configMap, versionsOf } from "../test/config-map.ts";
import { hurriedPace, InformerUnderTest } from "../test/informer-under-test.ts";
import { ScriptedClient } from "../test/scripted-client.ts";
import { Reflector } from "./reflector.ts";
import { StreamHealth } from "./stream-health.ts";

function failure(statusCode: number, reason: ApiErrorReason): ApiError {
  return new ApiError(`answered ${statusCode}`, { reason, statusCode });
}

const broken = new TransportError("socket hang up");
const unknownFeature = failure(422, "Invalid");
const tooLarge = new ApiError("Too large resource version: 9, current: 5", {
  reason: "Timeout",
  statusCode: 504,
  details: { causes: [{ reason: "ResourceVersionTooLarge" }] },
});

describe("Reflector", () => {
  describe("listing by a stream", () => {
    it("asks for all that exists, newest state, as a watch with bookmarks", async () => {
      const { server } = new InformerUnderTest().run();
      const watch = await server.watch();
      expect(watch.options).toMatchObject({ sendInitialEvents: true });
      expect(watch.options).not.toHaveProperty("resourceVersion");
    });

    it("shows nothing before the list is complete, and then all of it", async () => {
      const test = new InformerUnderTest().run();
      const watch = (await test.server.watch()).open().added(configMap("a", 5), configMap("b", 3)).bookmark("7");
      expect(await test.news()).toEqual([]);
      expect(test.informer.list({})).toEqual([]);
      watch.bookmark("8", true);
      expect(await test.news()).toEqual(["added a@5", "added b@3"]);
    });

    it("takes account of what happens before the list is complete", async () => {
      const test = new InformerUnderTest().run();
      (await test.server.watch())
        .open()
        .added(configMap("a", 5), configMap("b", 3))
        .modified(configMap("a", 6))
        .deleted(configMap("b", 7))
        .bookmark("8", true);
      expect(await test.news()).toEqual(["added a@6"]);
    });

    it("starts over where the stream breaks off before the list is complete", async () => {
      const test = new InformerUnderTest().run();
      (await test.server.watch()).open().added(configMap("a", 5)).fail(broken);
      (await test.server.list()).answer([configMap("b", 6)], "8");
      await test.informer.synced;
      expect(await test.news()).toEqual(["added b@6"]);
    });

    it("lists in pages where a stream ends before the list is complete, as old servers let it", async () => {
      const test = new InformerUnderTest().run();
      (await test.server.watch()).open().end();
      expect((await test.server.list()).options).toMatchObject({ limit: 500 });
    });

    it("goes on from the bookmark's version, not from that of an object", async () => {
      const test = new InformerUnderTest();
      (await test.synced("8", configMap("a", 5))).end();
      expect((await test.server.watch()).options.resourceVersion).toBe("8");
    });
  });

  describe("listing in pages", () => {
    it("begins at once where the server refuses to list by a stream", async () => {
      const test = new InformerUnderTest().run();
      (await test.server.watch()).fail(unknownFeature);
      const list = await test.server.list();
      expect(list.options).toMatchObject({ limit: 500 });
      expect(list.options).not.toHaveProperty("resourceVersion");
      expect(test.health).toEqual([]);
    });

    it("never asks that server for a stream again", async () => {
      const test = new InformerUnderTest().run();
      (await test.server.watch()).fail(unknownFeature);
      (await test.server.list()).answer([], "5");
      (await test.server.watch()).open().fail(failure(410, "Expired"));
      expect((await test.server.list()).options).toMatchObject({ resourceVersion: "5" });
    });

    it("reads page after page and shows them at once, then watches from the list's version", async () => {
      const test = new InformerUnderTest().run();
      (await test.server.watch()).fail(unknownFeature);
      (await test.server.list()).answer([configMap("a", 1)], "8", "token");
      const second = await test.server.list();
      expect(second.options).toMatchObject({ continue: "token", limit: 500 });
      expect(test.informer.list({})).toEqual([]);
      second.answer([configMap("b", 2)], "8");
      expect((await test.server.watch()).options).toMatchObject({ resourceVersion: "8" });
      expect(await test.news()).toEqual(["added a@1", "added b@2"]);
    });

    it("starts over, in one piece, where the token for the next page has expired", async () => {
      const test = new InformerUnderTest().run();
      (await test.server.watch()).fail(unknownFeature);
      (await test.server.list()).answer([configMap("a", 1)], "8", "token");
      (await test.server.list()).fail(failure(410, "Expired"));
      const whole = await test.server.list();
      expect(whole.options).not.toHaveProperty("limit");
      whole.answer([configMap("b", 2)], "9");
      await test.informer.synced;
      expect(await test.news()).toEqual(["added b@2"]);
    });
  });

  describe("resuming", () => {
    it("goes on from the last event after the server ended the watch, without a list", async () => {
      const test = new InformerUnderTest();
      (await test.synced("5")).added(configMap("a", 6)).end();
      const next = await test.server.watch();
      expect(next.options.resourceVersion).toBe("6");
      expect(next.options).not.toHaveProperty("sendInitialEvents");
    });

    it("goes on from the last bookmark, which may be newer than any event", async () => {
      const test = new InformerUnderTest();
      (await test.synced("5")).added(configMap("a", 6)).bookmark("90").end();
      expect((await test.server.watch()).options.resourceVersion).toBe("90");
    });

    it("goes on from the last event after the connection broke, and thinks nothing of it", async () => {
      const test = new InformerUnderTest();
      (await test.synced("5")).added(configMap("a", 6)).fail(broken);
      expect((await test.server.watch()).options.resourceVersion).toBe("6");
      expect(test.health.map(({ state }) => state)).toEqual(["alive"]);
    });

    it.each([429, 503, 401, 403, 404])("asks for the same version again after a %i", async (statusCode) => {
      const test = new InformerUnderTest();
      (await test.synced("5")).end();
      (await test.server.watch()).fail(failure(statusCode, "Unknown"));
      const again = await test.server.watch();
      expect(again.options.resourceVersion).toBe("5");
      expect(again.options).not.toHaveProperty("sendInitialEvents");
    });

    it("bounds every watch in time, at both ends, so that a dead one is noticed within a minute", async () => {
      const { options } = await new InformerUnderTest().synced("5");
      expect(options.timeoutSeconds).toBeLessThanOrEqual(50);
      expect(options.idleTimeoutMs).toBeGreaterThan(50_000);
      expect(options.idleTimeoutMs).toBeLessThan(60_000);
    });
  });

  it("tells how far the server has come when a watch ends, and not when a request fails", async () => {
    const server = new ScriptedClient();
    const reached: string[] = [];
    const target = { replace: () => {}, saw: () => {}, reached: (version: string) => reached.push(version) };
    const health = new StreamHealth({ type: ConfigMap, onChange: () => {} });
    const prepare = (object: ConfigMap): ConfigMap => object;
    const reflector = new Reflector({
      client: server.client,
      type: ConfigMap,
      prepare,
      target,
      health,
      pace: hurriedPace,
    });
    const stop = new AbortController();
    const running = reflector.run(stop.signal);
    (await server.watch()).open().bookmark("8", true).fail(broken);
    (await server.watch()).fail(failure(403, "Forbidden"));
    (await server.watch()).fail(broken);
    const watch = await server.watch();
    expect(reached).toEqual([]);
    watch.open().end();
    await server.watch();
    expect(reached).toEqual(["8"]);
    stop.abort();
    await running;
  });

  describe("listing again", () => {
    it.each([
      ["an answer", "Expired"],
      ["an answer", "Gone"],
      ["an event", "Expired"],
      ["an event", "Gone"],
    ] as const)(
      "lists a state not older than the last one seen after a 410 as %s with reason %s",
      async (shape, reason) => {
        const test = new InformerUnderTest();
        (await test.synced("5", configMap("a", 5))).bookmark("6").end();
        const error = failure(410, reason);
        if (shape === "an answer") (await test.server.watch()).fail(error);
        else (await test.server.watch()).open().send({ type: "ERROR", error });
        const again = await test.server.watch();
        expect(again.options).toMatchObject({ sendInitialEvents: true, resourceVersion: "6" });
        expect(test.health.at(-1)?.state).toBe("alive");
      },
    );

    it("tells what changed, appeared and vanished meanwhile", async () => {
      const test = new InformerUnderTest();
      const watch = await test.synced("5", configMap("same", 1), configMap("changed", 2), configMap("vanished", 3));
      await test.news();
      watch.fail(failure(410, "Expired"));
      (await test.server.watch())
        .open()
        .added(configMap("same", 1), configMap("changed", 7), configMap("new", 8))
        .bookmark("9", true);
      expect((await test.news()).toSorted()).toEqual(["added new@8", "deleted vanished@3", "updated changed@2→7"]);
      expect(versionsOf(test.informer.list({}))).toEqual(["changed@7", "new@8", "same@1"]);
    });

    it("tells of an object that was made anew meanwhile as deleted and added", async () => {
      const test = new InformerUnderTest();
      const watch = await test.synced("5", configMap("a", 2));
      await test.news();
      watch.fail(failure(410, "Expired"));
      (await test.server.watch())
        .open()
        .added(configMap("a", 7, { uid: "another" }))
        .bookmark("9", true);
      expect(await test.news()).toEqual(["deleted a@2", "added a@7"]);
    });

    it.each([
      ["the server has forgotten that one", failure(410, "Expired")],
      ["the server has yet to come to that one", tooLarge],
    ])("asks for the newest state where %s", async (_, error) => {
      const test = new InformerUnderTest();
      (await test.synced("5")).fail(failure(410, "Expired"));
      (await test.server.watch()).open().send({ type: "ERROR", error });
      const newest = await test.server.watch();
      expect(newest.options).toMatchObject({ sendInitialEvents: true });
      expect(newest.options).not.toHaveProperty("resourceVersion");
    });

    it("follows a server that was taken back in time", async () => {
      const test = new InformerUnderTest();
      (await test.synced("50", configMap("a", 40), configMap("b", 41))).open().send({ type: "ERROR", error: tooLarge });
      (await test.server.watch()).open().added(configMap("a", 7)).bookmark("9", true);
      await test.news();
      expect(versionsOf(test.informer.list({}))).toEqual(["a@7"]);
    });

    it("lists again where the server fails within a watch, as it may at each resumption", async () => {
      const test = new InformerUnderTest();
      (await test.synced("5")).send({ type: "ERROR", error: failure(500, "InternalError") });
      expect((await test.server.watch()).options).toMatchObject({ sendInitialEvents: true, resourceVersion: "5" });
    });
  });

  it("backs off from a server that ends each watch at once", async () => {
    const test = new InformerUnderTest();
    const watch = await test.synced("5");
    const startedAt = performance.now();
    watch.end();
    for (let i = 0; i < 20; i++) (await test.server.watch()).open().end();
    await test.server.watch();
    // Twenty waits of a second at least, each of which lasts two milliseconds here.
    expect(performance.now() - startedAt).toBeGreaterThan(40);
  });

  it("ends when its signal aborts, in the middle of a watch or of a wait", async () => {
    for (const inTheMiddleOf of ["watch", "wait"]) {
      const test = new InformerUnderTest();
      const stop = new AbortController();
      const running = test.informer.run(stop.signal);
      const watch = await test.server.watch();
      if (inTheMiddleOf === "wait") watch.fail(broken);
      await test.news();
      stop.abort();
      await running;
    }
  });
});
