/**
 * An operator's README, which names its release (`<name>-vX.Y.Z`) and its image (`<name>:vX.Y.Z`), with those of another version.
 *
 * @throws {Error} if it names neither
 */
export function nameRelease(readme: string, name: string, version: string): string {
  const named = new RegExp(String.raw`\b(${name}[-:]v)\d+\.\d+\.\d+(-[\w.]*\w)?`, "g");
  if (readme.search(named) < 0) throw new Error(`the README does not name ${name}'s release, which installs it`);
  return readme.replace(named, `$1${version}`);
}
