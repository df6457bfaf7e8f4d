import type { KubeObject, ObjectMeta } from "@trimtab/apimachinery";
import type { ObjectEvent } from "@trimtab/cache";
import { describe, expect, it } from "vitest";
import { widget } from "../test/widget.ts";
import { and, changed, not, or, specChanged } from "./predicate.ts";

function update(now: Partial<ObjectMeta>, before: Partial<ObjectMeta> = {}): ObjectEvent<KubeObject> {
  return { type: "updated", object: widget("a", now), previous: widget("a", before) };
}

describe("specChanged", () => {
  it.each<[string, Partial<ObjectMeta>]>([
    ["a new generation", { generation: 2 }],
    ["the begin of a deletion", { deletionTimestamp: "2026-01-01T00:00:00Z" }],
    ["a finalizer that comes or goes", { finalizers: ["example.com/x"] }],
    ["a label, such as one that pauses", { labels: { paused: "true" } }],
    ["an annotation, such as one that asks for a restart", { annotations: { restartedAt: "now" } }],
    ["an owner reference that somebody took off", { ownerReferences: [] }],
    ["another object under the same name", { uid: "another" }],
  ])("passes %s", (_, metadata) => {
    expect(specChanged(update(metadata))).toBe(true);
  });

  it("holds back an update of the status alone", () => {
    expect(specChanged(update({ resourceVersion: "2" }, { resourceVersion: "1" }))).toBe(false);
  });

  it.each([
    ["none", () => widget("a", {})],
    ["always 0", () => widget("a", { generation: 0 })],
  ])("passes every update of a kind whose generation is %s, such as a Secret", (name, make) => {
    const [object, previous] = [make(), make()];
    if (name === "none") {
      for (const { metadata } of [object, previous]) Reflect.deleteProperty(metadata, "generation");
    }
    expect(specChanged({ type: "updated", object, previous })).toBe(true);
  });

  it("passes what is added and what is deleted", () => {
    expect(specChanged({ type: "added", object: widget("a") })).toBe(true);
    expect(specChanged({ type: "deleted", object: widget("a") })).toBe(true);
  });
});

describe("changed", () => {
  it("compares by value", () => {
    const labels = changed(({ metadata }) => metadata.labels);
    expect(labels(update({ labels: { a: "b" } }, { labels: { a: "b" } }))).toBe(false);
    expect(labels(update({ labels: { a: "b" } }, { labels: { a: "c" } }))).toBe(true);
    expect(labels(update({ labels: { a: "b" } }))).toBe(true);
  });
});

describe("and, or, not", () => {
  const event = update({});
  const [yes, no] = [() => true, () => false];

  it("combine predicates", () => {
    expect([and(yes, no), and(yes, yes), or(yes, no), or(no, no), not(yes), not(no)].map((p) => p(event))).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
    ]);
  });
});
