/**
 * Compares two resourceVersions of one resource type of one cluster: negative where `a` is older.
 * They are decimal numbers without leading zeros and may exceed 2^53, so they are compared as
 * digit strings, by length and then in order (KEP-5504, stable since Kubernetes 1.35).
 *
 * @returns `undefined` if either is not such a number: nothing can be said then.
 */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (!isComparable(a) || !isComparable(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a === b ? 0 : a < b ? -1 : 1;
}

function isComparable(version: string): boolean {
  return /^[1-9][0-9]*$/.test(version);
}
