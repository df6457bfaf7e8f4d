import { describe, expect, it } from "vitest";
import { multiSecretWith } from "../multisecret.fixture.ts";
import { desiredCopy } from "./desired-copy.ts";

describe("desiredCopy", () => {
  it("holds data, and stringData before it", () => {
    const { data } = desiredCopy(
      multiSecretWith({ data: { a: "YQ==", both: "YQ==" }, stringData: { both: "b", text: "ü" } }),
    );
    expect(data).toEqual({ a: "YQ==", both: "Yg==", text: "w7w=" });
  });

  it("spells bytes as the API server does, so that a copy never differs by spelling alone", () => {
    expect(desiredCopy(multiSecretWith({ data: { a: "YW\nJj\n" } })).data).toEqual({ a: "YWJj" });
  });

  it("says whose it is", () => {
    const { labels, annotations } = desiredCopy(multiSecretWith());
    expect(labels).toEqual({
      "app.kubernetes.io/managed-by": "secret-operator",
      "multisecrets.multi.ddnw.ml/owner-uid": "sample-uid",
    });
    expect(annotations).toEqual({
      "multisecrets.multi.ddnw.ml/owner": "sample",
      "multisecrets.multi.ddnw.ml/namespace": "home",
    });
  });

  it("passes on the user's own labels and annotations, and none that make it some program's or quote the secret", () => {
    const { labels, annotations } = desiredCopy(
      multiSecretWith(
        {},
        {
          labels: { team: "a", "app.kubernetes.io/name": "shop", "app.kubernetes.io/instance": "argo" },
          annotations: {
            note: "ours",
            "kubectl.kubernetes.io/last-applied-configuration": "{}",
            "argocd.argoproj.io/tracking-id": "shop",
          },
        },
      ),
    );
    expect(labels).toMatchObject({ team: "a", "app.kubernetes.io/name": "shop" });
    expect(labels).not.toHaveProperty(["app.kubernetes.io/instance"]);
    expect(Object.keys(annotations).sort()).toEqual([
      "multisecrets.multi.ddnw.ml/namespace",
      "multisecrets.multi.ddnw.ml/owner",
      "note",
    ]);
  });

  it("has the same digest for the same content only", () => {
    const digest = (stringData: Record<string, string>) => desiredCopy(multiSecretWith({ stringData })).digest;
    expect(digest({ a: "1", b: "2" })).toBe(digest({ b: "2", a: "1" }));
    const different = [{}, { a: "" }, { a: "1" }, { a: "2" }, { b: "1" }, { a: "1", b: "" }, { "a 4 MQ== b": "" }];
    expect(new Set(different.map((each) => digest(each as Record<string, string>))).size).toBe(different.length);
  });
});
