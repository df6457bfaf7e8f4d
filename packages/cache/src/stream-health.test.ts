import { ApiError, type ApiErrorReason, TransportError } from "@trimtab/client";
import { describe, expect, it } from "vitest";
import { configMap } from "../test/config-map.ts";
import { InformerUnderTest } from "../test/informer-under-test.ts";

const broken = new TransportError("socket hang up");

function failure(statusCode: number, reason: ApiErrorReason): ApiError {
  return new ApiError(`answered ${statusCode}`, { reason, statusCode });
}

describe("StreamHealth", () => {
  it("is starting, then alive", async () => {
    const test = new InformerUnderTest();
    expect(test.informer.health()).toMatchObject([{ state: "starting", synced: false }]);
    await test.synced("5");
    expect(test.informer.health()).toMatchObject([{ state: "alive", synced: true }]);
  });

  it("names the kind and the refusal of a list, and heals by itself", async () => {
    const test = new InformerUnderTest().run();
    const forbidden = failure(403, "Forbidden");
    (await test.server.watch()).fail(forbidden);
    const again = await test.server.watch();
    expect(test.health).toMatchObject([{ state: "failing", error: forbidden, type: { kind: "ConfigMap" } }]);
    again.open().bookmark("5", true);
    await test.informer.synced;
    expect(test.informer.health()).toMatchObject([{ state: "alive" }]);
  });

  it("is told once of a trouble that lasts", async () => {
    const test = new InformerUnderTest().run();
    for (let i = 0; i < 3; i++) (await test.server.watch()).fail(failure(404, "NotFound"));
    await test.server.watch();
    expect(test.health).toHaveLength(1);
  });

  it("fails where a watch that broke cannot be had again, and heals as soon as the server agrees to one", async () => {
    const test = new InformerUnderTest();
    (await test.synced("5")).fail(broken);
    (await test.server.watch()).fail(broken);
    const again = await test.server.watch();
    expect(test.informer.health()).toMatchObject([{ state: "failing", error: broken, synced: true }]);
    again.open();
    expect(test.informer.health()).toMatchObject([{ state: "alive" }]);
  });

  it("says how long ago the server gave a sign of life", async () => {
    const test = new InformerUnderTest();
    const watch = await test.synced("5");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(test.informer.health()[0]?.silentMs).toBeGreaterThan(190);
    watch.bookmark("6");
    await test.news();
    expect(test.informer.health()[0]?.silentMs).toBeLessThan(190);
  });

  it("tolerates a watch that breaks off without having shown anything, but not one after the other", async () => {
    const test = new InformerUnderTest();
    (await test.synced("5")).fail(broken);
    (await test.server.watch()).open().fail(broken);
    const third = await test.server.watch();
    expect(test.informer.health()).toMatchObject([{ state: "failing", error: broken }]);
    third.open();
    expect(test.informer.health()).toMatchObject([{ state: "failing" }]);
    third.bookmark("6");
    await test.news();
    expect(test.informer.health()).toMatchObject([{ state: "alive" }]);
  });

  it("fails where an object cannot be taken in, since the next watch will show it again", async () => {
    const bug = new Error("a bug");
    const test = new InformerUnderTest({
      transform: () => {
        throw bug;
      },
    });
    (await test.synced("5")).added(configMap("a", 6));
    expect((await test.server.watch()).options.resourceVersion).toBe("5");
    expect(test.informer.health()).toMatchObject([{ state: "failing", error: bug }]);
  });
});
