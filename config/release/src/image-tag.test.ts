import { describe, expect, it } from "vitest";
import { nameImageTag } from "./image-tag.ts";

describe("The image's tag", () => {
  it("becomes the operator's version, and all else stays", () => {
    const kustomization = "images:\n  - name: controller\n    newName: podset-operator\n    newTag: 0.1.0\n";
    expect(nameImageTag(kustomization, "0.2.0")).toBe(kustomization.replace("0.1.0", "0.2.0"));
  });

  it("is refused where there is none to change", () => {
    expect(() => nameImageTag("images: []\n", "0.2.0")).toThrow("names 0 tags");
  });
});
