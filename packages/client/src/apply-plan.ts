import { type FieldsV1, isEqualQuantity, type KubeObject } from "@trimtab/apimachinery";
import type { Applied } from "./client.ts";
import { ownedFields } from "./field-ownership.ts";
import { fieldsAnnotation } from "./field-set.ts";

/**
 * What an apply of `desired` has to send, given the object as it is.
 *
 * - `nothing`: each field is so already, is ours, and nothing else is.
 * - `apply`: server-side apply will do.
 * - `adopt`: a field that we own since we created the object is no longer desired. Server-side apply lets go only
 *   of what was applied, so what the create owns must first be owned by an apply.
 */
export type ApplyPlan = "nothing" | "apply" | "adopt";

/** `desired` must carry its fields annotation. */
export function planApply(desired: Applied<KubeObject>, live: KubeObject, manager: string): ApplyPlan {
  const { applied, updated } = ownedFields(live, manager);
  if (updated !== undefined) {
    // The API server owns its defaults in the name of whoever created the object, so fields of that entry that are
    // not desired tell nothing; the annotation tells whether the same fields were desired then. Defaults add no items.
    const fewer =
      applied === undefined
        ? live.metadata.annotations?.[fieldsAnnotation] !== desired.metadata.annotations?.[fieldsAnnotation]
        : hasUndesired(applied, desired, "any");
    if (fewer || hasUndesired(updated, desired, "items")) return "adopt";
  } else if (applied === undefined || hasUndesired(applied, desired, "any")) return "apply";
  const trees = [applied, updated].filter((fields) => fields !== undefined);
  const isApplied = applied !== undefined;
  return isHeld({ desired, live, trees, isApplied }, true) ? "nothing" : "apply";
}

/** Whether the tree names a field, or an item of a list, that `desired` does not hold. */
function hasUndesired(fields: FieldsV1, desired: unknown, which: "any" | "items"): boolean {
  for (const path in fields) {
    if (path === ".") continue;
    const value = valueAt(desired, path);
    if (value !== undefined) {
      if (hasUndesired(fields[path] ?? {}, value, which)) return true;
    } else if ((which === "any" || !path.startsWith("f:")) && !isImplied(path)) return true;
  }
  return false;
}

/** The fields whose values are quantities, which the API server writes in its own way. */
const quantityMaps: ReadonlySet<string> = new Set(["capacity", "hard", "limits", "overhead", "requests"]);

/** Part of what is desired, and what there is in its place. */
interface Place {
  readonly desired: unknown;
  readonly live: unknown;
  /** What we own of it. */
  readonly trees: readonly FieldsV1[];
  /** Whether we have applied the object, rather than created it. */
  readonly isApplied: boolean;
}

/** Whether each field of `desired` is so in `live`, and owned in one of the trees. */
function isHeld(place: Place, isRoot = false): boolean {
  const { desired, live, trees, isApplied } = place;
  // Whoever adds to a field that is owned as a whole takes it over; what else is in ours are the server's defaults.
  if (!trees.some(hasChildren)) return holds(live, desired);
  if (Array.isArray(desired)) return Array.isArray(live) && desired.every((item) => isItemHeld(item, live, place));
  if (!isObject(desired) || !isObject(live)) return false;
  for (const name in desired) {
    const value = desired[name];
    if (value === undefined || (isRoot && isIdentity(name))) continue;
    const under = childrenAt(trees, `f:${name}`);
    const part = { desired: value, live: live[name], trees: under, isApplied };
    if (name === "metadata" && isRoot) {
      if (!isMetadataHeld(part)) return false;
    } else if (under.length === 0) {
      if (!isEmpty(value) || !isEmpty(live[name]) || !isDropped(place, isRoot)) return false;
    } else if (quantityMaps.has(name) ? !areQuantitiesHeld(value, live[name]) : !isHeld(part)) return false;
  }
  return true;
}

/**
 * Whether something empty that is not there, nor ours, is what the API server has dropped (`nodeSelector: {}`), and not
 * something that another manager has taken away (`emptyDir: {}`). What was applied is ours even if it was dropped. What was
 * created is not, and then it may have been taken away if others have put something in its place: at worst an apply is
 * sent for nothing, and after that it is known.
 */
function isDropped({ desired, live, trees, isApplied }: Place, isRoot: boolean): boolean {
  if (isApplied || !isObject(desired) || !isObject(live)) return !isApplied;
  for (const name in live) {
    if (isEmpty(live[name]) || desired[name] !== undefined) continue;
    if (isRoot && (isIdentity(name) || name === "metadata" || name === "status")) continue;
    if (childrenAt(trees, `f:${name}`).length === 0) return false;
  }
  return true;
}

function areQuantitiesHeld(desired: unknown, live: unknown): boolean {
  if (!isObject(desired) || !isObject(live)) return false;
  return Object.entries(desired).every(([name, value]) => value === live[name] || isEqualQuantity(value, live[name]));
}

function isMetadataHeld({ desired, live, trees, isApplied }: Place): boolean {
  if (!isObject(desired) || !isObject(live)) return false;
  for (const name in desired) {
    const value = desired[name];
    if (value === undefined || isName(name) || isEmpty(value)) continue;
    const under = childrenAt(trees, `f:${name}`);
    if (under.length === 0 || !isHeld({ desired: value, live: live[name], trees: under, isApplied })) return false;
  }
  return true;
}

/** An item of a list that is a map by keys, or a set. */
function isItemHeld(item: unknown, live: readonly unknown[], { trees, isApplied }: Place): boolean {
  for (const tree of trees) {
    for (const path in tree) {
      if (path.startsWith("v:") && holds(JSON.parse(path.slice(2)), item)) return live.includes(item);
      if (!path.startsWith("k:") || !hasKeys(item, path)) continue;
      const found = live.find((candidate) => hasKeys(candidate, path));
      const part = { desired: item, live: found, trees: childrenAt(trees, path), isApplied };
      return found !== undefined && isHeld(part);
    }
  }
  return false;
}

function childrenAt(trees: readonly FieldsV1[], path: string): FieldsV1[] {
  return trees.map((tree) => tree[path]).filter((child) => child !== undefined);
}

function valueAt(value: unknown, path: string): unknown {
  const rest = path.slice(2);
  if (path.startsWith("f:")) return isObject(value) ? value[rest] : undefined;
  if (!Array.isArray(value)) return undefined;
  if (path.startsWith("k:")) return value.find((item) => hasKeys(item, path));
  if (path.startsWith("v:")) return value.find((item) => holds(item, JSON.parse(rest)));
  return value[Number(rest)];
}

/** A key that the item does not spell out is one that the server has filled in with its default. */
function hasKeys(item: unknown, path: string): boolean {
  if (!isObject(item)) return false;
  const keys = JSON.parse(path.slice(2)) as Record<string, unknown>;
  return Object.entries(keys).every(([name, value]) => item[name] === undefined || item[name] === value);
}

/** Fields that the server owns in our name without our having written them. */
function isImplied(path: string): boolean {
  return isIdentity(path.slice(2));
}

function isIdentity(name: string): boolean {
  return name === "apiVersion" || name === "kind";
}

function isName(name: string): boolean {
  return name === "name" || name === "namespace" || name === "uid" || name === "resourceVersion";
}

function hasChildren(tree: FieldsV1): boolean {
  for (const path in tree) if (path !== ".") return true;
  return false;
}

/** Whether `live` has all of `desired`, as the API server sees it: what is empty is as good as absent. */
function holds(live: unknown, desired: unknown): boolean {
  if (live === desired || (isEmpty(live) && isEmpty(desired))) return true;
  if (Array.isArray(live) && Array.isArray(desired))
    return live.length === desired.length && desired.every((item, index) => holds(live[index], item));
  if (!isObject(live) || !isObject(desired)) return false;
  for (const name in desired) if (!holds(live[name], desired[name])) return false;
  return true;
}

/** As Go's `omitempty` has it. */
function isEmpty(value: unknown): boolean {
  if (!value) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
