import type { Pod } from "@trimtab/apimachinery";
import type { Seccomp } from "./seccomp.ts";

export type Container = NonNullable<Pod["spec"]>["containers"][number];

/** Of an image's configuration (OCI image-spec config.md), what a runtime needs. */
export interface ImageConfig {
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Env?: readonly string[];
  readonly User?: string;
  readonly WorkingDir?: string;
}

export interface RuntimeConfigOptions {
  readonly pod: Pod;
  readonly image: ImageConfig;
  /** The image's files. */
  readonly root: string;
  /** The pod's volumes by name: where their files are. */
  readonly volumes: ReadonlyMap<string, string>;
  /** Where the pod's /etc/hosts is. */
  readonly hosts: string;
  /** A path that names the pod's network namespace. */
  readonly network: string;
  /** Of the service `kubernetes`, as every container finds it in its environment. */
  readonly apiServer: { readonly host: string; readonly port: number };
  /** What `RuntimeDefault` stands for. */
  readonly seccomp: Seccomp;
}

interface Mount {
  readonly destination: string;
  readonly type: string;
  readonly source: string;
  readonly options: readonly string[];
}

/** Of the OCI runtime specification's config.json, what is said here. */
export interface RuntimeConfig {
  readonly ociVersion: string;
  readonly hostname: string;
  readonly process: {
    readonly user: { readonly uid: number; readonly gid: number };
    readonly args: readonly string[];
    readonly env: readonly string[];
    readonly cwd: string;
    readonly noNewPrivileges: boolean;
    readonly capabilities: Readonly<Record<"bounding" | "effective" | "permitted", readonly string[]>>;
  };
  readonly root: { readonly path: string; readonly readonly: boolean };
  readonly mounts: readonly Mount[];
  readonly linux: {
    readonly namespaces: readonly { readonly type: string; readonly path?: string }[];
    readonly resources: object;
    readonly seccomp?: Seccomp;
    readonly cgroupsPath: string;
    readonly maskedPaths: readonly string[];
    readonly readonlyPaths: readonly string[];
  };
}

/**
 * What a kubelet and its runtime make of a pod's one container: its command, user, posture, mounts and limits.
 *
 * @throws {Error} as a kubelet refuses the pod, or if it asks for what is not done here
 */
export function runtimeConfig(options: RuntimeConfigOptions): RuntimeConfig {
  const { pod, image, root, network, seccomp } = options;
  const container = onlyContainer(pod);
  const { securityContext: own } = container;
  const type = own?.seccompProfile?.type ?? pod.spec?.securityContext?.seccompProfile?.type ?? "Unconfined";
  if (type === "Localhost") throw new Error("seccomp profiles of the node's are not done here");
  return {
    ociVersion: "1.0.2",
    hostname: pod.metadata.name,
    process: {
      user: userOf(pod, image),
      args: [...(container.command ?? image.Entrypoint ?? []), ...(container.args ?? image.Cmd ?? [])],
      env: environmentOf(options, container),
      cwd: container.workingDir ?? (image.WorkingDir || "/"),
      noNewPrivileges: own?.allowPrivilegeEscalation === false,
      capabilities: capabilitiesOf(container),
    },
    root: { path: root, readonly: own?.readOnlyRootFilesystem === true },
    mounts: [...systemMounts, ...podMounts(options, container)],
    linux: {
      namespaces: [
        ...["pid", "ipc", "uts", "mount"].map((namespace) => ({ type: namespace })),
        { type: "network", path: network },
      ],
      resources: resourcesOf(container),
      ...(type === "RuntimeDefault" && { seccomp }),
      cgroupsPath: `/trimtab-e2e-${pod.metadata.uid}`,
      maskedPaths,
      readonlyPaths,
    },
  };
}

/** @throws {Error} if there are more, or some that come before */
export function onlyContainer({ spec }: Pod): Container {
  const [container, ...others] = spec?.containers ?? [];
  if (container === undefined || others.length > 0 || (spec?.initContainers ?? []).length > 0)
    throw new Error("a pod here has exactly one container");
  return container;
}

function userOf({ spec }: Pod, image: ImageConfig): { readonly uid: number; readonly gid: number } {
  const [container] = spec?.containers ?? [];
  const pick = <T>(of: (context: NonNullable<Container["securityContext"]>) => T | undefined): T | undefined =>
    (container?.securityContext && of(container.securityContext)) ??
    (spec?.securityContext && of(spec.securityContext));
  const [user = "", group = "0"] = (image.User ?? "").split(":");
  const uid = pick(({ runAsUser }) => runAsUser) ?? Number(user);
  const gid = pick(({ runAsGroup }) => runAsGroup) ?? Number(group);
  if (Number.isNaN(uid + gid))
    throw new Error(`the image's user is "${image.User}": that it is not root can only be told of a number`);
  if (uid === 0 && pick(({ runAsNonRoot }) => runAsNonRoot) === true)
    throw new Error("container has runAsNonRoot and image will run as root");
  return { uid, gid };
}

function environmentOf({ image, apiServer, pod }: RuntimeConfigOptions, { env = [] }: Container): readonly string[] {
  const { host, port } = apiServer;
  return [
    ...(image.Env ?? []),
    `HOSTNAME=${pod.metadata.name}`,
    `KUBERNETES_SERVICE_HOST=${host}`,
    `KUBERNETES_SERVICE_PORT=${port}`,
    `KUBERNETES_SERVICE_PORT_HTTPS=${port}`,
    ...env.map(({ name, value = "", valueFrom }) => {
      if (valueFrom === undefined) return `${name}=${value}`;
      if (valueFrom.fieldRef === undefined) throw new Error(`variable ${name}: only fields of the pod are done here`);
      return `${name}=${fieldOf(pod, valueFrom.fieldRef.fieldPath)}`;
    }),
  ];
}

/** Of the downward API (KEP-20), what a volume or a variable may ask for. */
export function fieldOf({ metadata, spec, status }: Pod, path: string): string {
  const fields: Readonly<Record<string, string | undefined>> = {
    "metadata.name": metadata.name,
    "metadata.namespace": metadata.namespace,
    "metadata.uid": metadata.uid,
    "spec.nodeName": spec?.nodeName,
    "spec.serviceAccountName": spec?.serviceAccountName,
    "status.podIP": status?.podIP,
  };
  const field = fields[path];
  if (field === undefined) throw new Error(`the pod's field ${path} is not done here`);
  return field;
}

/** Docker's, which containerd grants too. */
const defaultCapabilities = [
  ..."CHOWN DAC_OVERRIDE FSETID FOWNER MKNOD NET_RAW SETGID SETUID".split(" "),
  ..."SETFCAP SETPCAP NET_BIND_SERVICE SYS_CHROOT KILL AUDIT_WRITE".split(" "),
];

function capabilitiesOf({ securityContext }: Container): RuntimeConfig["process"]["capabilities"] {
  const { add = [], drop = [] } = securityContext?.capabilities ?? {};
  const kept = drop.includes("ALL") ? [] : defaultCapabilities.filter((name) => !drop.includes(name));
  const bounding = [...new Set([...kept, ...add])].map((name) => `CAP_${name}`);
  return { bounding, effective: bounding, permitted: bounding };
}

const mount = (destination: string, type: string, ...options: readonly string[]): Mount => ({
  destination,
  type,
  source: type,
  options: ["nosuid", ...options],
});

const systemMounts: readonly Mount[] = [
  mount("/proc", "proc", "noexec", "nodev"),
  mount("/dev", "tmpfs", "strictatime", "mode=755", "size=65536k"),
  mount("/dev/pts", "devpts", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"),
  mount("/dev/shm", "tmpfs", "noexec", "nodev", "mode=1777", "size=65536k"),
  mount("/dev/mqueue", "mqueue", "noexec", "nodev"),
  mount("/sys", "sysfs", "noexec", "nodev", "ro"),
];

function podMounts({ volumes, hosts }: RuntimeConfigOptions, container: Container): readonly Mount[] {
  const bind = (destination: string, source: string, readOnly: boolean): Mount => ({
    destination,
    type: "bind",
    source,
    options: ["rbind", readOnly ? "ro" : "rw"],
  });
  return [
    bind("/etc/hosts", hosts, false),
    ...(container.volumeMounts ?? []).map(({ name, mountPath, readOnly = false }) => {
      const source = volumes.get(name);
      if (source === undefined) throw new Error(`there is no volume ${name}`);
      return bind(mountPath, source, readOnly);
    }),
  ];
}

function resourcesOf({ resources }: Container): object {
  const memory = resources?.limits?.["memory"];
  return memory === undefined ? {} : { memory: { limit: bytesOf(memory) } };
}

function bytesOf(quantity: string): number {
  const [, digits, unit = ""] = /^(\d+)(Ki|Mi|Gi|)$/.exec(quantity) ?? [];
  if (digits === undefined) throw new Error(`a memory limit of ${quantity} is not done here`);
  return Number(digits) * 1024 ** ["", "Ki", "Mi", "Gi"].indexOf(unit);
}

/** containerd's own. */
const maskedPaths = [
  ..."/proc/asound /proc/acpi /proc/kcore /proc/keys /proc/latency_stats /proc/timer_list".split(" "),
  ..."/proc/timer_stats /proc/sched_debug /sys/firmware /proc/scsi".split(" "),
];
const readonlyPaths = "/proc/bus /proc/fs /proc/irq /proc/sys /proc/sysrq-trigger".split(" ");
