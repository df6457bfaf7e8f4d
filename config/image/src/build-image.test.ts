import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildImage } from "./build-image.ts";
import { engines } from "./engine.ts";

const source = { revision: "5ed8602", committed: new Date("2026-11-20T10:00:00Z") };

describe("buildImage", () => {
  let directory: string;

  /** A repository of one operator, on a machine whose engines all answer, and only say what they are asked. */
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "build-image-"));
    mkdirSync(join(directory, "operators/podset-operator"), { recursive: true });
    writeFileSync(join(directory, "operators/podset-operator/package.json"), '{"version":"1.2.3"}');
    mkdirSync(join(directory, "bin"));
    for (const engine of engines)
      writeFileSync(join(directory, "bin", engine), `#!/bin/sh\necho ${engine} "$@"\n`, { mode: 0o755 });
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  async function build(options: Partial<Parameters<typeof buildImage>[0]> = {}) {
    const lines: string[] = [];
    const env = { PATH: join(directory, "bin") };
    const onLine = (line: string): void => void lines.push(line);
    const image = await buildImage({ directory, operator: "podset-operator", env, source, onLine, ...options });
    return { image, lines };
  }

  it("calls the image by the operator's version as releases tag it", async () => {
    const { image, lines } = await build();
    expect(image.tag).toBe("podset-operator:v1.2.3");
    expect(lines.join()).toContain("--tag=podset-operator:v1.2.3");
  });

  it("has it built by the engine that it is told, though another one comes first", async () => {
    expect((await build()).image.engine).toBe("docker");
    const { image, lines } = await build({ engine: "buildah" });
    expect(image.engine).toBe("buildah");
    expect(lines).toEqual([expect.stringMatching(/^buildah build /)]);
  });

  it("names the operators that there are, if it is asked for another", async () => {
    await expect(build({ operator: "pod-set" })).rejects.toThrow("one of podset-operator");
  });
});
