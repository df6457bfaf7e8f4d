import { existsSync } from "node:fs";
import { type CommandOptions, run } from "@trimtab/image";

/** Programs, and the Debian packages that they come with. */
const packages: Readonly<Record<string, string>> = {
  buildah: "buildah",
  "docker-registry": "docker-registry",
  ip: "iproute2",
  runc: "runc",
  setpriv: "util-linux",
  unshare: "util-linux",
};

/**
 * Sees to it that the programs are there which stand in for a registry and for a node: as root on Debian, installs them.
 *
 * @throws {Error} elsewhere, with what to install
 */
export async function ensurePrograms(options: CommandOptions): Promise<void> {
  const isThere = async (program: string): Promise<boolean> =>
    run(["sh", "-c", `command -v ${program}`], options).then(
      () => true,
      () => false,
    );
  const missing = new Set<string>();
  for (const [program, name] of Object.entries(packages)) if (!(await isThere(program))) missing.add(name);
  if (process.getuid?.() !== 0) throw new Error("containers are run by runc, as root: run this as root");
  if (missing.size === 0) return;
  if (!existsSync("/etc/debian_version"))
    throw new Error(`install ${[...missing].join(", ")}, as Debian's packages are called, then try again`);
  const quiet = { ...options, env: { ...options.env, DEBIAN_FRONTEND: "noninteractive" } };
  for (const command of installation(missing, existsSync("/run/systemd/system"))) await run(command, quiet);
}

/** How Debian's packages are installed, and no service of theirs, where systemd runs, is left running. */
export function installation(missing: ReadonlySet<string>, hasSystemd: boolean): readonly (readonly string[])[] {
  return [
    ["apt-get", "update"],
    ["apt-get", "install", "--yes", "--no-install-recommends", ...missing],
    // The package starts a registry on port 5000, which nobody asked for.
    ...(hasSystemd && missing.has("docker-registry") ? [["systemctl", "disable", "--now", "docker-registry"]] : []),
  ];
}
