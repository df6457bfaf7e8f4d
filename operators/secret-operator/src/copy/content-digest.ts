import { createHmac, randomBytes } from "node:crypto";

/** Of this process alone, so that a digest tells nobody else anything: many a secret could be guessed from a plain hash. */
const key = randomBytes(32);

/** Of the bytes of a Secret: equal for the same, in whatever spelling of base64. To be held in memory only. */
export function contentDigest(data: Readonly<Record<string, string>> = {}): string {
  const hmac = createHmac("sha256", key);
  for (const name of Object.keys(data).sort()) {
    const value = canonicalBase64(data[name] ?? "");
    hmac.update(`${name.length} ${name} ${value.length} ${value} `);
  }
  return hmac.digest("base64");
}

/** In the one spelling that the API server uses. */
export function canonicalBase64(value: string): string {
  return Buffer.from(value, "base64").toString("base64");
}
