/** Kinds that belong to no namespace, which kustomize puts into one all the same: it does not know them. */
const clusterScoped = /^kind: ValidatingAdmissionPolicy(Binding)?$/m;

/** In the metadata of one document, as kustomize writes it. */
const namespace = /^(metadata:\n(?: {2}.*\n)*?) {2}namespace: .*\n/m;

/** Manifests, as kustomize writes them, in which policies of admission name no namespace of their own. */
export function withoutNamespace(manifests: string): string {
  return manifests
    .split(/^(?=---$)/m)
    .map((each) => (clusterScoped.test(each) ? each.replace(namespace, "$1") : each))
    .join("");
}
