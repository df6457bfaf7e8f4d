import { createHash } from "node:crypto";
import { formatKey, type ObjectKey } from "@trimtab/apimachinery";

const longestName = 253;

/**
 * The name of a MultiSecret's copies: `<name>.<namespace>.multisec`. Where that is too long, or has more dots than can
 * be told apart, it ends in a digest instead, which no other's does.
 */
export function copyName({ namespace = "", name }: ObjectKey): string {
  const plain = `${name}.${namespace}.multisec`.toLowerCase();
  if (plain.length <= longestName && plain.split(".").length === 3) return plain;
  const suffix = `-${createHash("sha256").update(formatKey({ namespace, name })).digest("hex").slice(0, 16)}`;
  return plain.slice(0, longestName - suffix.length).replace(/[-.]+$/, "") + suffix;
}
