import type { RunningPod } from "./running-pod.ts";

/** Lines of /proc/<pid>/status, as the restricted Pod Security Standard and the manifests want them. */
const wanted: Readonly<Record<string, RegExp>> = {
  Uid: /^65532(\s65532){3}$/,
  Gid: /^65532(\s65532){3}$/,
  CapBnd: /^0+$/,
  CapEff: /^0+$/,
  CapPrm: /^0+$/,
  NoNewPrivs: /^1$/,
  // 2: a filter.
  Seccomp: /^2$/,
};

/**
 * Looks at a pod's process as the kernel has it.
 *
 * @throws {Error} if it may do more than its Deployment says
 */
export async function checkPosture(pod: RunningPod): Promise<void> {
  const status = fieldsOf(await pod.proc("status"));
  for (const [name, pattern] of Object.entries(wanted)) {
    const value = status.get(name) ?? "";
    if (!pattern.test(value)) throw new Error(`its ${name} is ${value}`);
  }
  const root = (await pod.proc("mounts")).split("\n").find((line) => line.split(" ")[1] === "/");
  if (!root?.split(" ")[3]?.split(",").includes("ro")) throw new Error(`its root can be written to: ${root}`);
}

function fieldsOf(status: string): ReadonlyMap<string, string> {
  return new Map(status.split("\n").map((line) => [line.split(":")[0] ?? "", (line.split(":")[1] ?? "").trim()]));
}
