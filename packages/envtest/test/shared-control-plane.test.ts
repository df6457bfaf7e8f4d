import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, inject, it } from "vitest";

const run = promisify(execFile);

describe("the shared control plane", () => {
  it("is reached by kubectl with what vitest provides", async () => {
    const [kubectl = "", ...args] = inject("kubectl");
    const { stdout } = await run(kubectl, [
      ...args,
      `--kubeconfig=${inject("kubeconfigPath")}`,
      "auth",
      "can-i",
      "*",
      "*",
    ]);
    expect(stdout).toBe("yes\n");
  });
});
