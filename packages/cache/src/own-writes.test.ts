import type { ConfigMap } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import { configMap, versionsOf } from "../test/config-map.ts";
import { OwnWrites } from "./own-writes.ts";
import { Store } from "./store.ts";

const a = { namespace: "team", name: "a" };
const another = { uid: "another" };

class OwnWritesUnderTest {
  nowMs = 0;
  readonly store: Store<ConfigMap> = new Store();
  readonly own: OwnWrites<ConfigMap> = new OwnWrites(this.store, () => this.nowMs);

  get reads(): readonly string[] {
    return versionsOf(this.store.list({}));
  }

  get told(): readonly string[] {
    return versionsOf(this.own.toldOf(undefined));
  }
}

describe("OwnWrites", () => {
  it("shows a created object to reads at once, before the watch has", () => {
    const test = new OwnWritesUnderTest();
    test.own.wrote(configMap("a", 7), "5", true);
    expect(test.reads).toEqual(["a@7"]);
    expect(test.told).toEqual([]);
  });

  it("keeps an own write before reads while older events arrive", () => {
    const test = new OwnWritesUnderTest();
    test.own.show(configMap("a", 4));
    test.own.wrote(configMap("a", 7), "5", true);
    test.own.show(configMap("a", 6));
    expect(test.reads).toEqual(["a@7"]);
    expect(test.told).toEqual(["a@6"]);
  });

  it.each([7, 8])("goes with the watch again when it shows version %i of what was written as 7", (version) => {
    const test = new OwnWritesUnderTest();
    test.own.wrote(configMap("a", 7), "5", true);
    test.own.show(configMap("a", version));
    test.own.show(configMap("a", 9));
    expect(test.reads).toEqual(["a@9"]);
    expect(test.told).toEqual(["a@9"]);
  });

  it("compares versions as numbers", () => {
    const test = new OwnWritesUnderTest();
    test.own.wrote(configMap("a", 10), "8", true);
    test.own.show(configMap("a", 9));
    expect(test.reads).toEqual(["a@10"]);
  });

  it("takes no write that the watch has passed: the object may be gone again", () => {
    const test = new OwnWritesUnderTest();
    test.own.wrote(configMap("a", 7), "9", true);
    expect(test.reads).toEqual([]);
  });

  it("takes no write whose version cannot be compared: it would never know when to let it go", () => {
    const test = new OwnWritesUnderTest();
    test.own.wrote(configMap("a", 7, { resourceVersion: "opaque" }), "5", true);
    test.own.wrote(configMap("b", 7, { resourceVersion: "opaque" }), "", true);
    expect(test.reads).toEqual([]);
  });

  it("keeps the newer of two writes whose answers overtook each other", () => {
    const test = new OwnWritesUnderTest();
    test.own.wrote(configMap("a", 8), "5", true);
    test.own.wrote(configMap("a", 7), "5", true);
    expect(test.reads).toEqual(["a@8"]);
  });

  it("hides an object that a write took out of the selection, until the watch shows that", () => {
    const test = new OwnWritesUnderTest();
    test.own.show(configMap("a", 4));
    test.own.wrote(configMap("a", 7), "5", false);
    expect(test.reads).toEqual([]);
    test.own.lose(configMap("a", 7), "7");
    expect(test.told).toEqual([]);
  });

  it("does not take up an object that is not of the selection", () => {
    const test = new OwnWritesUnderTest();
    test.own.wrote(configMap("a", 7), "5", false);
    expect(test.reads).toEqual([]);
    expect(test.own.settle(undefined, "9")).toEqual([]);
  });

  describe("deleting", () => {
    it("hides the object at once, and keeps it hidden while older events of it arrive", () => {
      const test = new OwnWritesUnderTest();
      test.own.show(configMap("a", 4));
      test.own.deleted(a, "uid-of-a");
      test.own.show(configMap("a", 6));
      expect(test.reads).toEqual([]);
      expect(test.told).toEqual(["a@6"]);
    });

    it("keeps hiding an object that it wrote before, and the watch has yet to show", () => {
      const test = new OwnWritesUnderTest();
      test.own.wrote(configMap("a", 7), "5", true);
      test.own.deleted(a, "uid-of-a");
      test.own.show(configMap("a", 7));
      expect(test.reads).toEqual([]);
      test.own.lose(configMap("a", 8), "8");
      expect(test.told).toEqual([]);
    });

    it("does not bring it back by a write that was answered late", () => {
      const test = new OwnWritesUnderTest();
      test.own.show(configMap("a", 4));
      test.own.deleted(a, "uid-of-a");
      test.own.wrote(configMap("a", 6), "5", true);
      expect(test.reads).toEqual([]);
    });

    it("takes a write that removed the last finalizer of a deleted object for its deletion", () => {
      const test = new OwnWritesUnderTest();
      const deleting = { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 };
      test.own.show(configMap("a", 4, { ...deleting, finalizers: ["x/y"] }));
      test.own.wrote(configMap("a", 7, { ...deleting, finalizers: [] }), "5", true);
      expect(test.reads).toEqual([]);
    });

    it("keeps a pod that is given time to end", () => {
      const test = new OwnWritesUnderTest();
      const ending = { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 30 };
      test.own.wrote(configMap("a", 7, ending), "5", true);
      expect(test.reads).toEqual(["a@7"]);
    });

    it("shows a namesake made later, by whomever", () => {
      const test = new OwnWritesUnderTest();
      test.own.show(configMap("a", 4));
      test.own.deleted(a, "uid-of-a");
      test.own.wrote(configMap("a", 8, another), "5", true);
      expect(test.reads).toEqual(["a@8"]);
      test.own.lose(configMap("a", 7), "7");
      expect(test.reads).toEqual(["a@8"]);

      test.own.deleted(a, "another");
      test.own.show(configMap("a", 10, { uid: "a third" }));
      expect(test.reads).toEqual(["a@10"]);
    });

    it("keeps a predecessor hidden that the watch still shows", () => {
      const test = new OwnWritesUnderTest();
      test.own.show(configMap("a", 4));
      test.own.deleted(a, "uid-of-a");
      test.own.wrote(configMap("a", 8, another), "5", true);
      test.own.deleted(a, "another");
      test.own.show(configMap("a", 6));
      expect(test.reads).toEqual([]);
    });

    it("leaves a namesake that is there by now", () => {
      const test = new OwnWritesUnderTest();
      test.own.show(configMap("a", 4, another));
      test.own.deleted(a, "uid-of-a");
      expect(test.reads).toEqual(["a@4"]);
    });

    it("brings an object back that the server kept, and says so, but not before half a minute", () => {
      const test = new OwnWritesUnderTest();
      test.own.show(configMap("a", 4));
      test.own.deleted(a, "uid-of-a");
      test.nowMs = 29_000;
      expect(test.own.settle(undefined, "90")).toEqual([]);
      test.nowMs = 31_000;
      expect(test.own.settle(undefined, "90")).toMatchObject([{ type: "updated" }]);
      expect(test.reads).toEqual(["a@4"]);
    });
  });

  describe("settling", () => {
    it("lets go of a write that the watch has passed and not shown, and says what is no longer to be read", () => {
      const test = new OwnWritesUnderTest();
      test.own.wrote(configMap("a", 7), "5", true);
      expect(test.own.settle(undefined, "6")).toEqual([]);
      expect(test.own.settle(undefined, "7")).toMatchObject([
        { type: "deleted", object: { metadata: { resourceVersion: "7" } } },
      ]);
      expect(test.reads).toEqual([]);
    });

    it("leaves the writes of namespaces that other watches look after", () => {
      const test = new OwnWritesUnderTest();
      test.own.wrote(configMap("a", 7), "5", true);
      expect(test.own.settle("other", "9")).toEqual([]);
      expect(test.reads).toEqual(["a@7"]);
    });

    it("lets go of a write that was lost with the server's state", () => {
      const test = new OwnWritesUnderTest();
      test.own.show(configMap("a", 40));
      test.own.wrote(configMap("a", 70), "50", true);
      test.nowMs = 299_000;
      test.own.settle(undefined, "9");
      expect(test.reads).toEqual(["a@70"]);
      test.nowMs = 301_000;
      test.own.settle(undefined, "9");
      expect(test.reads).toEqual(["a@40"]);
    });
  });
});
