import { describe, expect, it } from "vitest";
import { buildCommand, type ImageBuild } from "./build-command.ts";
import { engines } from "./engine.ts";

const build: ImageBuild = {
  operator: "podset-operator",
  version: "1.2.3",
  tag: "podset-operator:v1.2.3",
  source: { revision: "5ed8602", committed: new Date("2026-11-20T10:00:00Z") },
};

describe("buildCommand", () => {
  it.each(engines)("hands %s the commit and its time, and no time of its own", (engine) => {
    const { command, env } = buildCommand(engine, build);
    expect(command[0]).toBe(engine);
    expect(command).toContain("--build-arg=SOURCE_DATE_EPOCH=1795168800");
    expect(command).toContain("--build-arg=CREATED=2026-11-20T10:00:00.000Z");
    expect(command).toContain("--build-arg=REVISION=5ed8602");
    const fixes =
      engine === "docker" ? Object.keys(env).includes("SOURCE_DATE_EPOCH") : command.includes("--timestamp=1795168800");
    expect(fixes).toBe(true);
  });

  it.each(engines)("shows %s nothing but the bundle", (engine) => {
    expect(buildCommand(engine, build).command.at(-1)).toBe("operators/podset-operator/dist");
  });

  it("leaves the base to the Dockerfile, unless one is asked for", () => {
    expect(buildCommand("docker", build).command.join(" ")).not.toContain("BASE=");
    expect(buildCommand("docker", { ...build, base: "node@sha256:1" }).command).toContain(
      "--build-arg=BASE=node@sha256:1",
    );
  });
});
