import type { ObjectMeta, Secret } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import type { MultiSecret } from "./api/v1alpha1/multisecret.ts";
import type { Copy } from "./copy/copy.ts";
import { desiredCopy } from "./copy/desired-copy.ts";
import { copyIn, metadataOf, multiSecretWith } from "./multisecret.fixture.ts";
import { plan } from "./plan.ts";

const multiSecret = multiSecretWith({ stringData: { a: "1" } }, { labels: { team: "a" } });

function stepFor(copy: Copy | undefined, wanted = true, owner: MultiSecret = multiSecret): string | undefined {
  return plan(owner, desiredCopy(owner), [{ namespace: "x", wanted, copy }])[0]?.type;
}

/** A copy of which something is otherwise. */
function copyWith(changes: Partial<Secret>, metadata: Partial<ObjectMeta> = {}): Copy {
  const { metadata: before } = copyIn("x", multiSecret);
  return copyIn("x", multiSecret, { ...changes, metadata: { ...before, ...metadata } });
}

const foreign = copyWith({}, { labels: {}, annotations: {} });

describe("plan", () => {
  it("has nothing to do where the copy is as it should be", () => {
    expect(stepFor(copyIn("x", multiSecret))).toBeUndefined();
    expect(stepFor(undefined, false)).toBeUndefined();
  });

  it("creates the copy where there is none", () => {
    expect(stepFor(undefined)).toBe("create");
  });

  it.each<readonly [string, Copy]>([
    ["a value has changed", copyWith({ data: { a: "Mg==" } })],
    ["a key is missing", copyWith({ data: {} })],
    ["there is a key too many", copyWith({ data: { a: "MQ==", b: "MQ==" } })],
    ["a label is missing", copyWith({}, { labels: { "multisecrets.multi.ddnw.ml/owner-uid": "sample-uid" } })],
    ["its annotations are gone", copyWith({}, { annotations: {} })],
    [
      "it was made for an owner of that name that is no more",
      copyIn("x", { ...multiSecret, metadata: { ...multiSecret.metadata, uid: "before" } }),
    ],
  ])("updates the copy where %s", (_, copy) => {
    expect(stepFor(copy)).toBe("update");
  });

  it("updates the copy where it has a label that the MultiSecret has no longer", () => {
    expect(stepFor(copyIn("x", multiSecret), true, multiSecretWith(multiSecret.spec))).toBe("update");
  });

  it("leaves alone what others have put on the copy", () => {
    const { labels, annotations } = copyIn("x", multiSecret).metadata;
    const theirs = { labels: { ...labels, theirs: "yes" }, annotations: { ...annotations, "their.tool/id": "1" } };
    expect(stepFor(copyWith({}, theirs))).toBeUndefined();
  });

  it("replaces what of a Secret cannot be changed", () => {
    expect(stepFor(copyWith({ type: "kubernetes.io/basic-auth" }))).toBe("replace");
    expect(stepFor(copyWith({ immutable: true, data: {} }))).toBe("replace");
    expect(stepFor(copyWith({ immutable: true }))).toBeUndefined();
  });

  it("deletes the copy where it is not wanted, and no Secret of anybody else's", () => {
    expect(stepFor(copyIn("x", multiSecret), false)).toBe("delete");
    expect(stepFor(foreign, false)).toBeUndefined();
  });

  it("leaves a Secret alone that is not its own", () => {
    expect(stepFor(foreign)).toBe("conflict");
    const others = multiSecretWith(multiSecret.spec, metadataOf("other"));
    expect(stepFor(copyIn("x", others))).toBe("conflict");
  });

  it("waits for a copy that is on its way out", () => {
    const leaving = copyWith({}, { deletionTimestamp: "2026-01-01T00:00:00Z" });
    expect(stepFor(leaving)).toBe("wait");
    expect(stepFor(leaving, false)).toBeUndefined();
  });
});
