import { readFile } from "node:fs/promises";
import { delimiter, dirname, resolve } from "node:path";
import { ConnectionError } from "./connection-error.ts";
import type { Kubeconfig, KubeconfigCluster, KubeconfigUser } from "./kubeconfig.ts";

/**
 * Kubeconfig files as one, as `clientcmd` merges them: the first that says something is believed. The paths in it are
 * absolute; they are relative to the file that names them. Of several, those that do not exist are skipped.
 *
 * @throws ConnectionError if one cannot be read, or is not a kubeconfig; it quotes nothing of it
 */
export async function readKubeconfigs(files: readonly string[]): Promise<Kubeconfig> {
  const texts = await Promise.all(files.map((file) => textOf(file, { optional: files.length > 1 })));
  const configs: Kubeconfig[] = [];
  for (const [index, file] of files.entries()) {
    const text = texts[index];
    if (text !== undefined) configs.push(absolute(await parsed(text, file), dirname(file)));
  }
  const [first, ...others] = configs;
  if (first === undefined)
    throw new ConnectionError(`cannot read the kubeconfig ${files.join(delimiter)}: none of these files exists`);
  return others.reduce(merged, first);
}

async function textOf(file: string, { optional }: { readonly optional: boolean }): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (optional && code === "ENOENT") return undefined;
    throw new ConnectionError(`cannot read the kubeconfig ${file}: ${message}`, { cause });
  }
}

async function parsed(text: string, file: string): Promise<Kubeconfig> {
  try {
    // JSON is YAML too, and needs no parser to be loaded.
    const config: unknown = text.startsWith("{") ? JSON.parse(text) : (await import("yaml")).default.parse(text);
    if (typeof config === "object" && config !== null) return config;
  } catch {
    // The parser's own message would quote the file, and with it perhaps a token.
  }
  throw new ConnectionError(`${file} is not a kubeconfig: it does not hold a YAML or JSON object`);
}

function absolute(config: Kubeconfig, folder: string): Kubeconfig {
  const at = <T extends object>(from: T, ...fields: readonly (keyof T)[]): T => {
    const paths = fields.filter((field) => from[field]).map((field) => [field, resolve(folder, String(from[field]))]);
    return { ...from, ...Object.fromEntries(paths) };
  };
  const clusterAt = (cluster: KubeconfigCluster): KubeconfigCluster => at(cluster, "certificate-authority");
  const userAt = (user: KubeconfigUser): KubeconfigUser => at(user, "client-certificate", "client-key", "tokenFile");
  return {
    ...config,
    clusters: (config.clusters ?? []).map(({ name, cluster }) => ({
      name,
      ...(cluster && { cluster: clusterAt(cluster) }),
    })),
    users: (config.users ?? []).map(({ name, user }) => ({ name, ...(user && { user: userAt(user) }) })),
  };
}

function merged(one: Kubeconfig, next: Kubeconfig): Kubeconfig {
  const context = one["current-context"] || next["current-context"];
  return {
    ...(context && { "current-context": context }),
    clusters: both(one.clusters, next.clusters),
    users: both(one.users, next.users),
    contexts: both(one.contexts, next.contexts),
  };
}

function both<T extends { readonly name: string }>(one: readonly T[] = [], next: readonly T[] = []): readonly T[] {
  return [...one, ...next.filter(({ name }) => one.every((known) => known.name !== name))];
}
