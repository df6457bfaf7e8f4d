/**
 * A kustomization that names one image's tag, with that of another version: `v` and the version, as a release pushes it.
 *
 * @throws {Error} if it names none, or several
 */
export function nameImageTag(kustomization: string, version: string): string {
  const tags = [...kustomization.matchAll(/^(\s+newTag: ).*$/gm)];
  if (tags.length !== 1) throw new Error(`the kustomization names ${tags.length} tags, where one is the operator's`);
  return kustomization.replace(/^(\s+newTag: ).*$/m, `$1v${version}`);
}
