import type { Pod } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import { now, type PodFacts, podWith } from "./podset.fixture.ts";
import { victims } from "./victims.ts";

function chosen(...pods: readonly Pod[]): string | undefined {
  return victims(pods, 1, now)[0]?.metadata.name;
}

const cost = (value: string) => ({
  metadata: { annotations: { "controller.kubernetes.io/pod-deletion-cost": value } },
});

describe("victims", () => {
  it.each<readonly [string, PodFacts, PodFacts]>([
    ["that has no node", { phase: "Pending" }, { phase: "Pending", nodeName: "a" }],
    ["that is pending", { phase: "Pending", nodeName: "a" }, { ready: false, nodeName: "a" }],
    ["whose state is unknown", { phase: "Unknown", nodeName: "a" }, { ready: false, nodeName: "a" }],
    ["that is not ready", { ready: false }, {}],
    ["that costs less", cost("-5"), {}],
    ["that became ready last", { readyAt: "2026-01-01T00:59:00Z" }, {}],
    ["that was restarted more often", { restarts: 3 }, { restarts: 2 }],
    ["that was created last", { metadata: { creationTimestamp: "2026-01-01T00:59:00Z" } }, {}],
  ])("take the pod %s", (_, facts, other) => {
    expect(chosen(podWith("kept", other), podWith("chosen", facts))).toBe("chosen");
    expect(chosen(podWith("chosen", facts), podWith("kept", other))).toBe("chosen");
  });

  it("take the pod that shares its node", () => {
    const pods = [
      podWith("a", { nodeName: "one" }),
      podWith("b", { nodeName: "two" }),
      podWith("c", { nodeName: "two" }),
    ];
    expect(chosen(...pods)).toBe("b");
  });

  it("take a ready pod rather than one that is dear", () => {
    expect(chosen(podWith("dear", { ready: false, ...cost("100") }), podWith("cheap"))).toBe("dear");
  });

  it("make nothing of a cost that is no number", () => {
    expect(chosen(podWith("a", cost("cheap")), podWith("b"))).toBe("a");
    expect(chosen(podWith("a", cost("+1")), podWith("b", cost("-1")))).toBe("b");
  });

  it("draw lots, always the same, among pods of about the same age", () => {
    const pods = ["30", "31", "32"].map((second) =>
      podWith(second, { metadata: { creationTimestamp: `2026-01-01T00:30:${second}Z` } }),
    );
    expect(victims(pods, 2, now)).toEqual(victims(pods.toReversed(), 2, now));
    expect(chosen(...pods)).toBe("30");
  });

  it("are none where none are too many", () => {
    expect(victims([podWith("a")], 0, now)).toEqual([]);
    expect(victims([podWith("a")], -1, now)).toEqual([]);
  });
});
