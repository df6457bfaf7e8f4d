import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pod } from "@trimtab/apimachinery";
import type { CommandOptions } from "@trimtab/image";
import { loadBaseImage } from "./base-image.ts";
import type { Claims } from "./claims.ts";
import { Cluster } from "./cluster.ts";
import { buildTwice, type PushedImage, pushImage } from "./images.ts";
import { makeOverlay } from "./overlay.ts";
import { play } from "./play.ts";
import { PodNode } from "./pod-node.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { relay } from "./relay.ts";
import { ensurePrograms } from "./requirements.ts";
import { type RunningPod, runPod } from "./running-pod.ts";
import { readDefaultProfile, seccompFor } from "./seccomp.ts";
import { Storage } from "./storage.ts";

export interface EndToEndOptions extends CommandOptions {
  /** The repository's folder. */
  readonly root: string;
  readonly claims: Claims;
  readonly signal: AbortSignal;
}

/**
 * From the operators' bundles to nothing: images are built, pushed, pulled and run as the Deployments say, and all is
 * uninstalled. What it makes on the machine, but for the base image that it keeps in node_modules, is gone when it returns.
 *
 * @throws {Error} why the first claim that does not hold does not
 */
export async function endToEnd(options: EndToEndOptions): Promise<void> {
  const { claims, env, signal } = options;
  const command: CommandOptions = { env, signal };
  await claims.hold("buildah, runc and a registry are installed", () => ensurePrograms(command));
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "trimtab-e2e-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const registryFolder = join(folder, "registry");
  await mkdir(registryFolder);
  const registry = await startRegistry(registryFolder, env);
  cleanup.defer(() => registry.stop());
  const images = await makeImages({ ...options, folder, registry });
  await runImages({ ...options, folder, images, cleanup });
}

interface Workshop extends EndToEndOptions {
  readonly folder: string;
  readonly registry: Registry;
}

async function makeImages({ root, claims, env, signal, folder, registry }: Workshop): Promise<readonly PushedImage[]> {
  const command: CommandOptions = { env, signal };
  const storage = await Storage.create(join(folder, "builder"), command);
  const images: PushedImage[] = [];
  try {
    const cache = join(root, "node_modules/.trimtab/e2e");
    await claims.hold("a base is there, of Debian's packages and Node", () => loadBaseImage(storage, cache, command));
    for (const operator of await readdir(join(root, "operators"))) {
      const image = await claims.hold(`${operator} is built twice, with the same layers`, (progress) =>
        buildTwice({ root, operator, storage, command }, progress),
      );
      const pushed = await claims.hold(`${operator} is pushed, at most 3 MB above its base`, () =>
        pushImage(image, { operator, storage, registry: registry.address, folder }),
      );
      images.push(pushed);
    }
    return images;
  } finally {
    await storage.close();
  }
}

interface Stage extends EndToEndOptions {
  readonly folder: string;
  readonly images: readonly PushedImage[];
  readonly cleanup: AsyncDisposableStack;
}

async function runImages({ root, claims, env, signal, folder, images, cleanup }: Stage): Promise<void> {
  const command: CommandOptions = { env };
  const cluster = await claims.hold("a control plane is up", () => Cluster.start({ env, signal, home: folder }));
  cleanup.defer(() => cluster.stop());
  const storage = await Storage.create(join(folder, "node"), command);
  cleanup.defer(() => storage.close());
  const apiSocket = join(folder, "api.sock");
  const server = await relay({ path: apiSocket }, cluster.apiServer);
  cleanup.defer(() => void server.close());
  const seccomp = seccompFor(await readDefaultProfile(), process.arch);
  const start = (pod: Pod, address: string): Promise<RunningPod> =>
    runPod({
      ...{ pod, address, storage, apiSocket, seccomp, command },
      folder: join(folder, "pods", pod.metadata.uid ?? ""),
      sources: { rootCertificate: cluster.rootCertificate, token: (seconds) => tokenFor(cluster, pod, seconds) },
    });
  const node = new PodNode({ client: cluster.client, start });
  const stop = new AbortController();
  const running = node.run(stop.signal);
  cleanup.defer(async () => {
    stop.abort();
    await running;
  });

  const overlays = new Map<string, string>();
  for (const image of images)
    overlays.set(image.operator, await makeOverlay({ root, folder: join(folder, "overlays"), image }));
  const shared = { root, cluster, node, claims, signal };
  for (const one of overlays) await play({ ...shared, overlays: new Map([one]) });
  await play({ ...shared, overlays });
}

/** As a kubelet asks for it (KEP-1205): it holds no longer than the pod does. */
function tokenFor(cluster: Cluster, { metadata, spec }: Pod, seconds = 3600): Promise<string> {
  return cluster.kubectl(
    ...["create", "token", spec?.serviceAccountName ?? "default", `--namespace=${metadata.namespace}`],
    ...[`--duration=${seconds}s`, "--bound-object-kind=Pod"],
    ...[`--bound-object-name=${metadata.name}`, `--bound-object-uid=${metadata.uid}`],
  );
}
