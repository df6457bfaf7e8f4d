import type { Deployment, KubeObject } from "@trimtab/apimachinery";

/** An object as kustomize renders it. */
export interface Manifest extends KubeObject {
  readonly spec?: object;
}

/** `Kind namespace/name`, or `Kind name`. */
export function identityOf({ kind, metadata: { namespace, name } }: Manifest): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** @throws {Error} unless there is just one of that kind */
export function onlyOne<T extends Manifest>(manifests: readonly Manifest[], kind: string): T {
  const [found, ...more] = manifests.filter((manifest) => manifest.kind === kind);
  if (found === undefined || more.length > 0) throw new Error(`not one ${kind}: ${manifests.map(identityOf)}`);
  return found as T;
}

export type PodTemplateSpec = NonNullable<NonNullable<Deployment["spec"]>["template"]["spec"]>;
export type Container = PodTemplateSpec["containers"][number];

/** @throws {Error} unless it runs one container */
export function podOf(deployment: Deployment): { readonly pod: PodTemplateSpec; readonly manager: Container } {
  const pod = deployment.spec?.template.spec;
  const [manager, ...more] = pod?.containers ?? [];
  if (pod === undefined || manager === undefined || more.length > 0) throw new Error("not one container");
  return { pod, manager };
}
