import { describe, expect, it } from "vitest";
import { nameImageTag } from "./image-tag.ts";

describe("The image's tag", () => {
  it("becomes that which the release of the version pushes, and all else stays", () => {
    const kustomization = "images:\n  - name: controller\n    newName: podset-operator\n    newTag: v0.1.0\n";
    expect(nameImageTag(kustomization, "0.2.0")).toBe(kustomization.replace("v0.1.0", "v0.2.0"));
  });

  it("is refused where there is none to change", () => {
    expect(() => nameImageTag("images: []\n", "0.2.0")).toThrow("names 0 tags");
  });
});
