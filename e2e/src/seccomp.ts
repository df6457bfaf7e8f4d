import { readFile } from "node:fs/promises";

/** A rule of a profile as container engines write them: for some architectures and capabilities only. */
interface ProfileRule {
  readonly names: readonly string[];
  readonly action: string;
  readonly args?: readonly object[];
  readonly errnoRet?: number;
  readonly includes?: Scope;
  readonly excludes?: Scope;
}

interface Scope {
  readonly caps?: readonly string[];
  readonly arches?: readonly string[];
}

export interface SeccompProfile {
  readonly defaultAction: string;
  readonly defaultErrnoRet?: number;
  readonly archMap: readonly { readonly architecture: string; readonly subArchitectures: readonly string[] }[];
  readonly syscalls: readonly ProfileRule[];
}

/** As the runtime specification has it (OCI config-linux.md, Seccomp). */
export interface Seccomp {
  readonly defaultAction: string;
  readonly defaultErrnoRet?: number;
  readonly architectures: readonly string[];
  readonly syscalls: readonly {
    readonly names: readonly string[];
    readonly action: string;
    readonly args?: readonly object[];
    readonly errnoRet?: number;
  }[];
}

const architectures: Readonly<Record<string, { readonly name: string; readonly seccomp: string }>> = {
  x64: { name: "amd64", seccomp: "SCMP_ARCH_X86_64" },
  arm64: { name: "arm64", seccomp: "SCMP_ARCH_AARCH64" },
};

/** What Debian's container engines confine containers with: their `RuntimeDefault`. */
export async function readDefaultProfile(): Promise<SeccompProfile> {
  return JSON.parse(await readFile("/usr/share/containers/seccomp.json", "utf8")) as SeccompProfile;
}

/** What is left of a profile for a process of this architecture, as Node names it, that has no capability. */
export function seccompFor(profile: SeccompProfile, architecture: string): Seccomp {
  const own = architectures[architecture];
  if (own === undefined) throw new Error(`no seccomp profile for the architecture ${architecture}`);
  const subs = profile.archMap.find((entry) => entry.architecture === own.seccomp)?.subArchitectures ?? [];
  const applies = ({ includes = {}, excludes = {} }: ProfileRule): boolean =>
    (includes.caps ?? []).length === 0 &&
    (includes.arches === undefined || includes.arches.includes(own.name)) &&
    !(excludes.arches ?? []).includes(own.name);
  return {
    defaultAction: profile.defaultAction,
    ...(profile.defaultErrnoRet !== undefined && { defaultErrnoRet: profile.defaultErrnoRet }),
    architectures: [own.seccomp, ...subs],
    syscalls: profile.syscalls.filter(applies).map(({ names, action, args, errnoRet }) => ({
      names,
      action,
      ...(args !== undefined && args !== null && args.length > 0 && { args }),
      ...(errnoRet !== undefined && { errnoRet }),
    })),
  };
}
