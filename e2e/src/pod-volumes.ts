import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Pod } from "@trimtab/apimachinery";
import { fieldOf } from "./runtime-config.ts";

type Volume = NonNullable<NonNullable<Pod["spec"]>["volumes"]>[number];
type Projected = NonNullable<Volume["projected"]>;
type Source = NonNullable<Projected["sources"]>[number];

export interface VolumeSources {
  /** A token of the pod's service account, bound to the pod, for so many seconds. */
  readonly token: (expirationSeconds: number | undefined) => Promise<string>;
  /** What the ConfigMap `kube-root-ca.crt` holds, which every namespace has. */
  readonly rootCertificate: string;
}

interface VolumeFile {
  readonly path: string;
  readonly content: string;
}

/**
 * Makes a pod's volumes in `folder`.
 *
 * @returns where each is, by its name
 * @throws {Error} if one is neither an `emptyDir` nor such a projection as the account's of every pod
 */
export async function makeVolumes(
  pod: Pod,
  folder: string,
  sources: VolumeSources,
): Promise<ReadonlyMap<string, string>> {
  const made = new Map<string, string>();
  for (const { name, projected, emptyDir } of pod.spec?.volumes ?? []) {
    const path = join(folder, name);
    await mkdir(path, { recursive: true });
    if (emptyDir !== undefined) await chmod(path, 0o777);
    else if (projected === undefined) throw new Error(`volume ${name} is of a kind that is not done here`);
    else await project(pod, projected, { path, sources });
    made.set(name, path);
  }
  return made;
}

interface Place {
  readonly path: string;
  readonly sources: VolumeSources;
}

async function project(
  pod: Pod,
  { sources: wanted = [], defaultMode = 0o644 }: Projected,
  place: Place,
): Promise<void> {
  for (const source of wanted)
    for (const { path, content } of await filesOf(pod, source, place.sources)) {
      const file = join(place.path, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content, { mode: defaultMode });
    }
}

async function filesOf(pod: Pod, source: Source, sources: VolumeSources): Promise<readonly VolumeFile[]> {
  const { serviceAccountToken, configMap, downwardAPI } = source;
  if (serviceAccountToken !== undefined) {
    const { path, expirationSeconds } = serviceAccountToken;
    return [{ path, content: await sources.token(expirationSeconds) }];
  }
  if (configMap?.name === "kube-root-ca.crt")
    return (configMap.items ?? []).map(({ path }) => ({ path, content: sources.rootCertificate }));
  if (downwardAPI !== undefined)
    return (downwardAPI.items ?? []).map(({ path, fieldRef }) => ({
      path,
      content: fieldOf(pod, fieldRef?.fieldPath ?? "resourceFieldRef"),
    }));
  throw new Error(`a projection of ${Object.keys(source)} is not done here`);
}
