/**
 * Holds a digest of which fields (not which values) an object was created with, so that a field that is no longer
 * desired can be told from one that the API server has filled in: it books both on the account of the creator.
 */
export const fieldsAnnotation = "trimtab.dev/fields";

/** A digest of the names of all fields below `value`: FNV-1a, 32 bits, which is enough to tell two versions of a manifest apart. */
export function fieldSetOf(value: unknown): string {
  return (digest(0x811c9dc5, value) >>> 0).toString(36);
}

function digest(seed: number, value: unknown): number {
  if (typeof value !== "object" || value === null) return seed;
  let hash = step(seed, 0x7b);
  if (Array.isArray(value)) for (const item of value) hash = digest(step(hash, 0x2c), item);
  else
    for (const name of Object.keys(value).sort()) {
      const child = (value as Record<string, unknown>)[name];
      if (child === undefined) continue;
      for (let index = 0; index < name.length; index += 1) hash = step(hash, name.charCodeAt(index));
      hash = digest(step(hash, 0x3a), child);
    }
  return step(hash, 0x7d);
}

function step(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}
