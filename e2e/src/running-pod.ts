import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Pod } from "@trimtab/apimachinery";
import { type CommandOptions, run } from "@trimtab/image";
import { apiService, startPodNetwork } from "./pod-network.ts";
import { makeVolumes, type VolumeSources } from "./pod-volumes.ts";
import { probe } from "./probe.ts";
import { RunningProgram } from "./running-program.ts";
import { onlyContainer, runtimeConfig } from "./runtime-config.ts";
import type { Seccomp } from "./seccomp.ts";
import type { Storage } from "./storage.ts";

export interface RunPodOptions {
  readonly pod: Pod;
  /** Where the pod is to be found. */
  readonly address: string;
  /** For what only lasts as long as the pod. */
  readonly folder: string;
  /** Where images are pulled to. */
  readonly storage: Storage;
  readonly apiSocket: string;
  readonly seccomp: Seccomp;
  readonly sources: VolumeSources;
  readonly command: CommandOptions;
}

/** A pod whose one container runs. */
export interface RunningPod {
  /** What it has logged so far. */
  readonly lines: readonly string[];
  readonly exited: Promise<number | NodeJS.Signals>;
  /** Of its process, as the kernel shows it in /proc/<pid>: `status`, `mountinfo`. */
  proc(file: string): Promise<string>;
  isReady(): Promise<boolean>;
  /** SIGTERM, and SIGKILL after the pod's grace period. @returns how it ended */
  stop(): Promise<number | NodeJS.Signals>;
}

/** Pulls a pod's image, makes its volumes and network, and runs it by runc. */
export async function runPod(options: RunPodOptions): Promise<RunningPod> {
  const { pod, address, folder, storage, apiSocket, seccomp, sources, command } = options;
  const { image = "", ports = [], readinessProbe } = onlyContainer(pod);
  const { uid = "" } = pod.metadata;
  await using made = new AsyncDisposableStack();
  await mkdir(folder, { recursive: true });
  await storage.pull(image);
  const { OCIv1 } = await storage.inspect(image);
  const root = await storage.mount(image, uid);
  made.defer(() => storage.unmount(uid));
  const volumes = await makeVolumes(pod, join(folder, "volumes"), sources);
  const hosts = join(folder, "hosts");
  await writeFile(hosts, `127.0.0.1 localhost\n${address} ${pod.metadata.name}\n`);

  const socketOf = (port: number): string => join(folder, `${port}.sock`);
  const portSockets = new Map(ports.map(({ containerPort }) => [socketOf(containerPort), containerPort]));
  const network = await startPodNetwork({ address, apiSocket, portSockets, env: command.env });
  made.defer(async () => {
    network.kill("SIGKILL");
    await network.exited;
  });
  const config = runtimeConfig({
    pod,
    image: OCIv1.config,
    root,
    volumes,
    hosts,
    network: `/proc/${network.pid}/ns/net`,
    apiServer: apiService,
    seccomp,
  });
  await writeFile(join(folder, "config.json"), JSON.stringify(config));
  const runc = ["runc", "--root", join(folder, "runc")];
  const toRunc = (...args: readonly string[]): Promise<string> => run([...runc, ...args], command);
  // However runc itself ended: neither the container nor its cgroup may stay.
  made.defer(async () => void (await toRunc("delete", "--force", uid)));
  const container = new RunningProgram([...runc, "run", "--bundle", folder, uid], command.env);
  const left = made.move();
  const exited = container.exited.finally(() => left.disposeAsync());
  exited.catch(() => {});
  return {
    lines: container.lines,
    exited,
    proc: async (file) => {
      const { pid } = JSON.parse(await toRunc("state", uid)) as { readonly pid: number };
      return readFile(`/proc/${pid}/${file}`, "utf8");
    },
    isReady: async () => readinessProbe === undefined || probe(readinessProbe, ports, socketOf),
    stop: async () => {
      container.kill("SIGTERM");
      const seconds = pod.spec?.terminationGracePeriodSeconds ?? 30;
      // SIGTERM runc hands on; of SIGKILL it would die alone, and is itself to blame only if it has no container.
      const kill = (): void => void toRunc("kill", uid, "KILL").catch(() => container.kill("SIGKILL"));
      const impatience = setTimeout(kill, seconds * 1000);
      return exited.finally(() => clearTimeout(impatience));
    },
  };
}
