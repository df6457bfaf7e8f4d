import { describe, expect, it } from "vitest";
import { findEngine } from "./engine.ts";

/** A machine on which these programs answer; the others are not installed. */
function machineWith(...programs: readonly string[]): (command: readonly string[]) => Promise<void> {
  return async ([program = ""]) => {
    if (!programs.includes(program)) throw new Error(`cannot run ${program}: ENOENT`);
  };
}

describe("findEngine", () => {
  it("prefers docker to podman, and podman to buildah", async () => {
    expect(await findEngine(machineWith("buildah", "podman", "docker"))).toBe("docker");
    expect(await findEngine(machineWith("buildah", "podman"))).toBe("podman");
    expect(await findEngine(machineWith("buildah"))).toBe("buildah");
  });

  it("passes over a docker whose daemon does not answer", async () => {
    const ask = async ([program]: readonly string[]): Promise<void> => {
      if (program !== "buildah") throw new Error("Cannot connect to the Docker daemon");
    };
    expect(await findEngine(ask)).toBe("buildah");
  });

  it("says what each of them said, and what to install, where none answers", async () => {
    const refusal = findEngine(machineWith());
    await expect(refusal).rejects.toThrow("docker: cannot run docker: ENOENT");
    await expect(refusal).rejects.toThrow("buildah: cannot run buildah: ENOENT");
    await expect(refusal).rejects.toThrow("apt-get install buildah");
  });
});
