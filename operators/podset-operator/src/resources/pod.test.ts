import { describe, expect, it } from "vitest";
import { podSetWith } from "../podset.fixture.ts";
import { podFor } from "./pod.ts";
import { podName } from "./pod-name.ts";

describe("podFor", () => {
  it("is the tutorial's pod, controlled by its PodSet by UID", () => {
    const { metadata, spec } = podFor(podSetWith(1), "name");
    expect(metadata).toEqual({
      name: "name",
      namespace: "team-a",
      labels: { app: "sample", version: "v0.1" },
      ownerReferences: [
        {
          apiVersion: "app.example.com/v1alpha1",
          kind: "PodSet",
          name: "sample",
          uid: "podset-uid",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    });
    expect(spec?.containers).toMatchObject([{ image: "quay.io/amacdona/strauss", command: ["sleep", "3600"] }]);
  });
});

describe("podName", () => {
  it("is the same for the same place, and another for each place, each successor and each PodSet of that name", () => {
    const podset = podSetWith(1);
    const anew = { ...podset, metadata: { ...podset.metadata, uid: "another-uid" } };
    expect(podName(podset, 0, 0)).toBe(podName(podSetWith(5), 0, 0));
    const names = [podName(podset, 0, 0), podName(podset, 1, 0), podName(podset, 0, 1), podName(anew, 0, 0)];
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^sample-pod-[bcdfghjklmnpqrstvwxz2456789]{8}$/);
  });
});
