import { describe, expect, it } from "vitest";
import { installation } from "./requirements.ts";

describe("installation", () => {
  const programs = (missing: readonly string[], hasSystemd: boolean): readonly string[] =>
    installation(new Set(missing), hasSystemd).map((command) => command.slice(0, 2).join(" "));

  it("ends the service that comes with the registry, once that is installed", () => {
    expect(programs(["runc", "docker-registry"], true)).toEqual([
      "apt-get update",
      "apt-get install",
      "systemctl disable",
    ]);
  });

  it("ends no service of a registry that was there before, nor asks systemd where it does not run", () => {
    expect(programs(["runc"], true)).toEqual(["apt-get update", "apt-get install"]);
    expect(programs(["runc", "docker-registry"], false)).toEqual(["apt-get update", "apt-get install"]);
  });
});
