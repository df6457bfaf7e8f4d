import type { Pod } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import type { PodSet } from "./api/v1alpha1/podset.ts";
import { plan } from "./plan.ts";
import { now, podSetWith, podWith } from "./podset.fixture.ts";
import { podName } from "./resources/pod-name.ts";

const deletionTimestamp = "2026-01-01T00:59:59Z";

/** The pod that a PodSet has in a place. */
function podAt(podset: PodSet, place: number, facts: Parameters<typeof podWith>[1] = {}): Pod {
  return podWith(podName(podset, place, podset.status?.replacements?.[place] ?? 0), facts);
}

function names(pods: readonly { readonly name: string }[] | readonly Pod[]): readonly string[] {
  return pods.map((pod) => ("metadata" in pod ? pod.metadata.name : pod.name));
}

const nothing = { create: [], remove: [], againInMs: undefined };
const none: ReadonlySet<string> = new Set();

describe("plan", () => {
  it("asks for all pods of a new PodSet at once", () => {
    const podset = podSetWith(3);
    const { create, replacements } = plan(podset, { own: [], gone: none }, now);
    expect(names(create)).toEqual([podName(podset, 0, 0), podName(podset, 1, 0), podName(podset, 2, 0)]);
    expect(replacements).toEqual([0, 0, 0]);
  });

  it("does nothing where there are as many pods as asked for, ready or not", () => {
    const podset = podSetWith(2);
    const own = [podAt(podset, 0), podAt(podset, 1, { phase: "Pending" })];
    expect(plan(podset, { own, gone: none }, now)).toMatchObject(nothing);
  });

  it("asks for the same pod again after a run that was broken off", () => {
    const podset = podSetWith(3);
    const first = plan(podset, { own: [], gone: none }, now);
    const second = plan(podset, { own: [podAt(podset, 0)], gone: none }, now);
    expect(second.create).toEqual(first.create.slice(1));
  });

  it("asks for the same pods whatever else is found to be missing", () => {
    const podset = podSetWith(4);
    const full = [0, 1, 2, 3].map((place) => podAt(podset, place));
    const [less] = plan(podset, { own: full.toSpliced(2, 1), gone: none }, now).create;
    const fewer = plan(podset, { own: full.slice(0, 1), gone: none }, now).create;
    expect(fewer).toContainEqual(less);
  });

  it("gives a new name to the successor of a pod that is on its way out", () => {
    const podset = podSetWith(1);
    const leaving = podAt(podset, 0, { metadata: { deletionTimestamp } });
    const { create, remove, replacements } = plan(podset, { own: [leaving], gone: none }, now);
    expect(create).toEqual([{ place: 0, name: podName(podset, 0, 1) }]);
    expect(remove).toEqual([]);
    expect(replacements).toEqual([1]);
  });

  it("gives a new name to the successor of a pod that the status has named", () => {
    const podset = podSetWith(2);
    const gone = new Set([podName(podset, 1, 0)]);
    const { create, replacements } = plan(podset, { own: [podAt(podset, 0)], gone }, now);
    expect(create).toEqual([{ place: 1, name: podName(podset, 1, 1) }]);
    expect(replacements).toEqual([0, 1]);
  });

  it("keeps to a name that is on record", () => {
    const podset = podSetWith(1, { replacements: [1] });
    const leaving = podWith(podName(podset, 0, 0), { metadata: { deletionTimestamp } });
    const { create, replacements } = plan(podset, { own: [leaving], gone: none }, now);
    expect(create).toEqual([{ place: 0, name: podName(podset, 0, 1) }]);
    expect(replacements).toEqual([1]);
  });

  it("counts a pod whose name is not on record, where the status was lost", () => {
    const own = [podWith("of-another-time"), podAt(podSetWith(2), 0)];
    expect(plan(podSetWith(2), { own, gone: none }, now)).toMatchObject(nothing);
    expect(plan(podSetWith(3), { own, gone: none }, now).create).toHaveLength(1);
  });

  it("removes what is too many, and never what is already on its way out", () => {
    const podset = podSetWith(1);
    const leaving = podAt(podset, 2, { metadata: { deletionTimestamp } });
    const own = [podAt(podset, 0), podAt(podset, 1, { phase: "Pending" }), leaving];
    const { create, remove } = plan(podset, { own, gone: none }, now);
    expect(create).toEqual([]);
    expect(names(remove)).toEqual([podName(podset, 1, 0)]);
  });

  it.each(["Failed", "Succeeded"])("replaces a pod that has %s, and removes it", (phase) => {
    const podset = podSetWith(2);
    const ended = podAt(podset, 0, { phase });
    const { create, remove } = plan(podset, { own: [ended, podAt(podset, 1)], gone: none }, now);
    expect(names(create)).toEqual([podName(podset, 0, 1)]);
    expect(remove).toEqual([ended]);
  });

  it("removes a pod that has ended where none is missing", () => {
    const podset = podSetWith(1);
    const ended = podAt(podset, 1, { phase: "Failed" });
    expect(plan(podset, { own: [ended, podAt(podset, 0)], gone: none }, now)).toMatchObject({
      create: [],
      remove: [ended],
    });
  });

  it("lets 10 s pass between the failures of pods in one place", () => {
    const podset = podSetWith(2, { replacements: [1] });
    const failed = podAt(podset, 0, { phase: "Failed", metadata: { creationTimestamp: "2026-01-01T00:59:57Z" } });
    const pods = { own: [failed, podAt(podset, 1)], gone: none };
    expect(plan(podset, pods, now)).toMatchObject({ create: [], remove: [], againInMs: 7_000 });
    const { create, remove } = plan(podset, pods, new Date(now.getTime() + 7_000));
    expect([names(create), remove]).toEqual([[podName(podset, 0, 2)], [failed]]);
  });
});
