/** The programs of a control plane, by the names of their files. */
export const programNames = ["etcd", "kube-apiserver", "kube-controller-manager", "kubectl"] as const;
export type ProgramName = (typeof programNames)[number];
/** The path of each program. */
export type Programs = Readonly<Record<ProgramName, string>>;
