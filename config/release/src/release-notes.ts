/** The part of a CHANGELOG.md, as changesets writes it, that is about one version; empty if there is none. */
export function releaseNotes(changelog: string, version: string): string {
  const lines = changelog.split("\n");
  const start = lines.indexOf(`## ${version}`);
  if (start < 0) return "";
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("## "));
  return lines
    .slice(start + 1, length < 0 ? undefined : start + 1 + length)
    .join("\n")
    .trim();
}

/** The notes of packages that are released as one: what is said of several of them is said once. */
export function sharedReleaseNotes(changelogs: readonly string[], version: string): string {
  const notes = new Set<string>();
  for (const changelog of changelogs) for (const note of entriesOf(releaseNotes(changelog, version))) notes.add(note);
  return [...notes].join("\n");
}

const versionsOnly = /^- (Updated dependencies|@[\w-]+\/[\w-]+@)/;

/** The list's entries, less those that only tell which versions of each other packages have. */
function entriesOf(notes: string): readonly string[] {
  return notes
    .split(/^(?=- |### )/m)
    .map((each) => each.trimEnd())
    .filter((each) => each.startsWith("- ") && !versionsOnly.test(each));
}
