/** The newest patch of each of the newest minors among versions such as `v1.37.1`; newest first, no previews. */
export function newestMinors(versions: readonly string[], count: number): readonly string[] {
  const released = versions.filter((each) => /^v\d+\.\d+\.\d+$/.test(each)).sort((a, b) => compare(b, a));
  const newest = new Map<string, string>();
  for (const version of released) {
    const minor = version.slice(0, version.lastIndexOf("."));
    if (!newest.has(minor)) newest.set(minor, version);
  }
  return [...newest.values()].slice(0, count);
}

function compare(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
