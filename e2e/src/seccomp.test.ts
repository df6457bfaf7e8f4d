import { describe, expect, it } from "vitest";
import { type SeccompProfile, seccompFor } from "./seccomp.ts";

const allow = "SCMP_ACT_ALLOW";
const profile: SeccompProfile = {
  defaultAction: "SCMP_ACT_ERRNO",
  defaultErrnoRet: 38,
  archMap: [{ architecture: "SCMP_ARCH_X86_64", subArchitectures: ["SCMP_ARCH_X86"] }],
  syscalls: [
    { names: ["read"], action: allow },
    { names: ["mount"], action: allow, includes: { caps: ["CAP_SYS_ADMIN"] } },
    { names: ["mount"], action: "SCMP_ACT_ERRNO", errnoRet: 1, excludes: { caps: ["CAP_SYS_ADMIN"] } },
    { names: ["arch_prctl"], action: allow, includes: { arches: ["amd64"] } },
    { names: ["clone"], action: allow, args: [{ index: 0 }], excludes: { arches: ["s390x"] } },
  ],
};

describe("seccompFor", () => {
  it("keeps what a process without capabilities is allowed, and what it is refused", () => {
    const { syscalls } = seccompFor(profile, "x64");
    expect(syscalls).toEqual([
      { names: ["read"], action: allow },
      { names: ["mount"], action: "SCMP_ACT_ERRNO", errnoRet: 1 },
      { names: ["arch_prctl"], action: allow },
      { names: ["clone"], action: allow, args: [{ index: 0 }] },
    ]);
  });

  it("is for an architecture and those that it runs too", () => {
    expect(seccompFor(profile, "x64").architectures).toEqual(["SCMP_ARCH_X86_64", "SCMP_ARCH_X86"]);
    expect(seccompFor(profile, "arm64").syscalls.flatMap(({ names }) => names)).not.toContain("arch_prctl");
    expect(() => seccompFor(profile, "mips")).toThrow("no seccomp profile for the architecture mips");
  });
});
