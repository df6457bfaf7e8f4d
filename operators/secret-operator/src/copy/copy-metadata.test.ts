import { describe, expect, it } from "vitest";
import { copyIn, multiSecretWith } from "../multisecret.fixture.ts";
import { copyMetadata } from "./copy-metadata.ts";
import { desiredCopy } from "./desired-copy.ts";

describe("copyMetadata", () => {
  it("takes off what the MultiSecret no longer has, and leaves what others have put on", () => {
    const before = multiSecretWith({}, { labels: { old: "1", kept: "1" } });
    const copy = copyIn("x", before);
    const theirs = { ...copy, metadata: { ...copy.metadata, labels: { ...copy.metadata.labels, theirs: "1" } } };
    const now = multiSecretWith({}, { labels: { kept: "2", fresh: "1" } });
    const { labels } = copyMetadata(theirs, desiredCopy(now));
    expect(labels).toEqual({ ...desiredCopy(now).labels, theirs: "1" });
  });

  it("keeps the copy's identity", () => {
    const copy = copyIn("x", multiSecretWith());
    const { uid, resourceVersion, namespace, name } = copy.metadata;
    expect(copyMetadata(copy, desiredCopy(multiSecretWith()))).toMatchObject({ uid, resourceVersion, namespace, name });
  });
});
