import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CustomResourceDefinition, Namespace } from "@trimtab/apimachinery";
import { type Applied, type Client, ignoreNotFound } from "@trimtab/client";
import { parseAllDocuments } from "yaml";

const namespacesFile = "examples/demo/manifests/namespaces.yaml";
const crdFolder = (operator: string): string => `operators/${operator}/config/crd/bases`;

/** Takes away what an installation has added, and nothing that was there before. */
export type Uninstall = (signal: AbortSignal) => Promise<void>;

/** Applies the operators' CRDs, and waits until the API server serves them; those that are there already stay as they are. */
export async function installCrds(
  client: Client,
  operators: readonly string[],
  signal: AbortSignal,
): Promise<Uninstall> {
  const crds = (await Promise.all(operators.map(crdFolder).map(readCrds))).flat();
  const found = await Promise.all(
    crds.map(({ metadata }) => ignoreNotFound(client.get(CustomResourceDefinition, metadata, { signal }))),
  );
  const missing = crds.filter((_, i) => found[i] === undefined);
  await Promise.all(missing.map((crd) => client.apply(CustomResourceDefinition, crd, { signal })));
  await Promise.all(crds.map(({ metadata: { name } }) => untilServed(client, name, signal)));
  return async (signal) => {
    await Promise.all(missing.map(({ metadata }) => client.delete(CustomResourceDefinition, metadata, { signal })));
  };
}

/** Throws an `OwnershipConflictError` for a namespace of that name that the demo has not made. */
export async function makeNamespaces(client: Client, signal: AbortSignal): Promise<void> {
  const namespaces = await read<Applied<Namespace>>(namespacesFile);
  await Promise.all(namespaces.map((namespace) => client.apply(Namespace, namespace, { ours: isOurs, signal })));
}

/** Resolves once those that the demo has made are gone, with all that was in them. */
export async function removeNamespaces(client: Client, names: readonly string[], signal: AbortSignal): Promise<void> {
  const found = await Promise.all(names.map((name) => ignoreNotFound(client.get(Namespace, { name }, { signal }))));
  const ours = found.filter((namespace) => namespace !== undefined).filter(isOurs);
  await Promise.all(ours.map(({ metadata }) => client.delete(Namespace, metadata, { uid: metadata.uid, signal })));
  for (const { metadata } of ours)
    while ((await ignoreNotFound(client.get(Namespace, metadata, { signal })))?.metadata.uid === metadata.uid)
      await sleep(200, undefined, { signal });
}

function isOurs({ metadata }: Namespace): boolean {
  return metadata.labels?.["app.kubernetes.io/managed-by"] === "trimtab-demo";
}

async function readCrds(folder: string): Promise<readonly Applied<CustomResourceDefinition>[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".yaml"));
  return (await Promise.all(files.map((name) => read<Applied<CustomResourceDefinition>>(join(folder, name))))).flat();
}

async function read<T>(path: string): Promise<readonly T[]> {
  return parseAllDocuments(await readFile(path, "utf8")).map((document) => document.toJS() as T);
}

async function untilServed(client: Client, name: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { status } = await client.get(CustomResourceDefinition, { name }, { signal });
    if (status?.conditions?.some((condition) => condition.type === "Established" && condition.status === "True"))
      return;
    await sleep(20, undefined, { signal });
  }
}
