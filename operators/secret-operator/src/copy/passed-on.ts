/**
 * What of these labels or annotations a copy gets: those without a prefix, which are the user's own, and of those with
 * one, which are some program's, the few that only describe. Others would be taken for that program's own work, such
 * as `app.kubernetes.io/instance` by Argo CD, which would then delete the copies; and kubectl's
 * `last-applied-configuration` quotes the secret.
 */
export function passedOn(entries: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !key.includes("/") || descriptive.has(key)));
}

const descriptive: ReadonlySet<string> = new Set([
  "app.kubernetes.io/component",
  "app.kubernetes.io/name",
  "app.kubernetes.io/part-of",
  "app.kubernetes.io/version",
]);
