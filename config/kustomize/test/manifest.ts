import type { Deployment, KubeObject } from "@trimtab/apimachinery";

/** An object as kustomize renders it. */
export interface Manifest extends KubeObject {
  readonly spec?: object;
}

/** `Kind namespace/name`, or `Kind name`. */
export function identityOf({ kind, metadata: { namespace, name } }: Manifest): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

export interface Binding extends Manifest {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects: readonly object[];
}

/** Those of the kinds named, which the caller knows the shape of. */
export function ofKind<T extends Manifest>(manifests: readonly Manifest[], ...kinds: readonly string[]): readonly T[] {
  return manifests.filter((manifest): manifest is T => kinds.includes(manifest.kind));
}

export function bindingsOf(manifests: readonly Manifest[]): readonly Binding[] {
  return ofKind(manifests, "RoleBinding", "ClusterRoleBinding");
}

/** @throws {Error} unless there is just one of that kind */
export function onlyOne<T extends Manifest>(manifests: readonly Manifest[], kind: string): T {
  const [found, ...more] = ofKind<T>(manifests, kind);
  if (found === undefined || more.length > 0) throw new Error(`not one ${kind}: ${manifests.map(identityOf)}`);
  return found;
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
