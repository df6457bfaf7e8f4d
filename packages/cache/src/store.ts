import { controllerOf, type KubeObject, type Labels } from "@trimtab/apimachinery";

/** Which objects to list; all of these must hold. */
export interface CacheListOptions {
  /** @default all that are watched */
  readonly namespace?: string;
  /** The labels it must have, each with this value. */
  readonly labels?: Labels;
  /** Only those whose controller has this UID: an indexed look-up. */
  readonly controller?: string;
}

/**
 * The objects of one kind by namespace and name, and by the UID of their controller.
 * Look-ups build no strings and lists cost what they return, not what is stored.
 */
export class Store<T extends KubeObject> {
  /** Namespace, "" for cluster-scoped objects → name → object; no inner map is empty. */
  readonly #byNamespace = new Map<string, Map<string, T>>();
  /** UID of the controller → UID of the object → object; no inner map is empty. */
  readonly #byController = new Map<string, Map<string, T>>();

  get(namespace: string | undefined, name: string): T | undefined {
    return this.#byNamespace.get(namespace ?? "")?.get(name);
  }

  /** Puts the object in the place of its namesake. */
  set(object: T): void {
    const { namespace = "", name } = object.metadata;
    const named = this.#byNamespace.get(namespace);
    const previous = named?.get(name);
    if (previous !== undefined) this.#unindex(previous);
    if (named === undefined) this.#byNamespace.set(namespace, new Map([[name, object]]));
    else named.set(name, object);
    this.#index(object);
  }

  delete(namespace: string | undefined, name: string): void {
    const named = this.#byNamespace.get(namespace ?? "");
    const previous = named?.get(name);
    if (named === undefined || previous === undefined) return;
    named.delete(name);
    if (named.size === 0) this.#byNamespace.delete(namespace ?? "");
    this.#unindex(previous);
  }

  /** All objects, or those of one namespace. */
  *values(namespace?: string): Generator<T> {
    if (namespace !== undefined) yield* this.#byNamespace.get(namespace)?.values() ?? [];
    else for (const named of this.#byNamespace.values()) yield* named.values();
  }

  list({ namespace, labels, controller }: CacheListOptions): readonly T[] {
    const found: T[] = [];
    const candidates = controller === undefined ? this.values(namespace) : this.#controlledBy(controller);
    for (const object of candidates) {
      if (namespace !== undefined && object.metadata.namespace !== namespace) continue;
      if (labels === undefined || hasLabels(object, labels)) found.push(object);
    }
    return found;
  }

  #controlledBy(uid: string): Iterable<T> {
    return this.#byController.get(uid)?.values() ?? [];
  }

  #index(object: T): void {
    const controller = controllerOf(object)?.uid;
    if (controller === undefined) return;
    const controlled = this.#byController.get(controller);
    if (controlled === undefined) this.#byController.set(controller, new Map([[object.metadata.uid, object]]));
    else controlled.set(object.metadata.uid, object);
  }

  #unindex(object: T): void {
    const controller = controllerOf(object)?.uid;
    if (controller === undefined) return;
    const controlled = this.#byController.get(controller);
    controlled?.delete(object.metadata.uid);
    if (controlled?.size === 0) this.#byController.delete(controller);
  }
}

function hasLabels({ metadata }: KubeObject, labels: Labels): boolean {
  for (const key in labels) if (metadata.labels?.[key] !== labels[key]) return false;
  return true;
}
