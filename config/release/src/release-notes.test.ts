import { describe, expect, it } from "vitest";
import { releaseNotes, sharedReleaseNotes } from "./release-notes.ts";

const client = `# @trimtab/client

## 0.2.0

### Minor Changes

- 76d15f9: Watches resume
  where they broke off.

### Patch Changes

- Updated dependencies [76d15f9]
  - @trimtab/apimachinery@0.2.0

## 0.1.0

### Minor Changes

- 8e38993: It speaks.
`;
const cache = `# @trimtab/cache

## 0.2.0

### Minor Changes

- 76d15f9: Watches resume
  where they broke off.
- 1234567: Reads are quick.

### Patch Changes

- @trimtab/apimachinery@0.2.0
  - @trimtab/client@0.2.0
`;

describe("Release notes", () => {
  it("are what the changelog says of the version, and of no other", () => {
    expect(releaseNotes(client, "0.1.0")).toBe("### Minor Changes\n\n- 8e38993: It speaks.");
    expect(releaseNotes(client, "0.2.0")).toContain("Watches resume");
    expect(releaseNotes(client, "0.2.0")).not.toContain("It speaks");
    expect(releaseNotes(client, "0.3.0")).toBe("");
  });

  it("say once what several packages have in common, and nothing of each other's versions", () => {
    expect(sharedReleaseNotes([client, cache], "0.2.0")).toBe(
      "- 76d15f9: Watches resume\n  where they broke off.\n- 1234567: Reads are quick.",
    );
  });
});
