import { execFile } from "node:child_process";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { downloadFile, downloadText } from "./download.ts";
import { goArchitecture, thisPlatform } from "./platform.ts";

/** Where released binaries are. */
export interface ReleaseSites {
  /** The index of kubebuilder's envtest archives: etcd, kube-apiserver and kubectl, each with its SHA-512. */
  readonly index: string;
  /** Kubernetes' own releases, which have kube-controller-manager; a folder a version. */
  readonly kubernetes: string;
}

/** https://book.kubebuilder.io/reference/envtest and https://kubernetes.io/releases/download */
export const releaseSites: ReleaseSites = {
  index: "https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml",
  kubernetes: "https://dl.k8s.io/release",
};

export interface ReleasedProgramsOptions {
  readonly sites: ReleaseSites;
  /** Of Kubernetes, such as `v1.37.1`; of kubebuilder's archives, which lag behind, the newest of the same minor will do. */
  readonly version: string;
  readonly onProgress: (line: string) => void;
  /** How long a site has to answer before it counts as unreachable. @default 5_000 */
  readonly patienceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Archive {
  readonly hash: string;
  readonly selfLink: string;
}

/**
 * Downloads the released programs into a folder, each checked against its published checksum.
 *
 * @throws {Error} if there are none for this platform, or a site does not answer soon, or a checksum does not hold
 */
export async function downloadPrograms(directory: string, options: ReleasedProgramsOptions): Promise<void> {
  if (process.platform !== "linux") throw new Error(`no kube-controller-manager is released for ${process.platform}`);
  const { version, archive } = await findArchive(options);
  await downloadArchive(directory, archive, options);
  await downloadControllerManager(directory, version, options);
}

function platform(): string {
  return `${thisPlatform.os}/${goArchitecture(thisPlatform)}`;
}

async function findArchive(options: ReleasedProgramsOptions): Promise<{ version: string; archive: Archive }> {
  const { sites, version } = options;
  const text = await downloadText(sites.index, options);
  // Only those who download pay for the parser's load time.
  const { parse } = await import("yaml");
  const { releases } = parse(text) as { releases: Readonly<Record<string, Readonly<Record<string, Archive>>>> };
  for (const candidate of [version, ...sameMinor(Object.keys(releases), version)]) {
    const archive = releases[candidate]?.[`envtest-${candidate}-${platform().replace("/", "-")}.tar.gz`];
    if (archive !== undefined) return { version: candidate, archive };
  }
  throw new Error(`${sites.index} has no ${minorOf(version)} for ${platform()}`);
}

/** Newest first. */
function sameMinor(versions: readonly string[], version: string): readonly string[] {
  return versions
    .filter((each) => /^v\d+\.\d+\.\d+$/.test(each) && minorOf(each) === minorOf(version))
    .sort((a, b) => patchOf(b) - patchOf(a));
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

function patchOf(version: string): number {
  return Number(version.split(".")[2]);
}

async function downloadArchive(directory: string, archive: Archive, options: ReleasedProgramsOptions): Promise<void> {
  const path = join(directory, "envtest.tar.gz");
  await downloadFile(archive.selfLink, path, {
    algorithm: "sha512",
    hash: archive.hash,
    onBytes: megabytes("etcd, kube-apiserver and kubectl", options.onProgress),
    patienceMs: options.patienceMs,
    signal: options.signal,
  });
  // The archive's files lie in controller-tools/envtest.
  await promisify(execFile)("tar", ["-xzf", path, "-C", directory, "--strip-components=2"]);
  await rm(path);
}

async function downloadControllerManager(
  directory: string,
  version: string,
  options: ReleasedProgramsOptions,
): Promise<void> {
  const url = `${options.sites.kubernetes}/${version}/bin/${platform()}/kube-controller-manager`;
  const path = join(directory, "kube-controller-manager");
  const hash = (await downloadText(`${url}.sha256`, options)).trim();
  await downloadFile(url, path, {
    algorithm: "sha256",
    hash,
    onBytes: megabytes("kube-controller-manager", options.onProgress),
    patienceMs: options.patienceMs,
    signal: options.signal,
  });
  await chmod(path, 0o755);
}

/** Says how far a download is, whenever a tenth more of it has come. */
function megabytes(what: string, onProgress: (line: string) => void): (received: number, total?: number) => void {
  let told = 0;
  return (received, total) => {
    const step = total === undefined ? 10_000_000 : total / 10;
    if (received - told < step && received !== total) return;
    told = received;
    const of = total === undefined ? "" : ` of ${(total / 1e6).toFixed(0)}`;
    onProgress(`downloading ${what}: ${(received / 1e6).toFixed(0)}${of} MB`);
  };
}
