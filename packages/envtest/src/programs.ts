import { access, constants } from "node:fs/promises";
import { join } from "node:path";

export const programNames = ["etcd", "kube-apiserver", "kube-controller-manager", "kubectl"] as const;
export type ProgramName = (typeof programNames)[number];
/** The path of each program. */
export type Programs = Readonly<Record<ProgramName, string>>;

export interface FindProgramsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function findPrograms({ env }: FindProgramsOptions): Promise<Programs> {
  const { KUBEBUILDER_ASSETS: directory } = env;
  if (directory === undefined)
    throw new Error(
      "set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver, kube-controller-manager and kubectl",
    );
  const found: Partial<Record<ProgramName, string>> = {};
  for (const name of programNames) {
    await access(join(directory, name), constants.X_OK);
    found[name] = join(directory, name);
  }
  return found as Programs;
}
