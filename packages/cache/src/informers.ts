import { apiVersionOf, type KubeObject, type ResourceType } from "@trimtab/apimachinery";
import { Informer, type InformerOptions, type InformerRuntime } from "./informer.ts";

// biome-ignore lint/suspicious/noExplicitAny: an informer of whatever kind; `find` gives each its own again
type AnyInformer = Informer<any>;

/** The informers of a cache, by the type of what they hold. */
export class Informers {
  readonly #byName = new Map<string, AnyInformer>();
  /** By the type itself, so that a read makes no string. */
  readonly #byType = new Map<ResourceType, AnyInformer>();

  /** @throws {Error} if two are of the same type */
  // biome-ignore lint/suspicious/noExplicitAny: options of any kinds
  constructor(options: readonly InformerOptions<any>[], runtime: InformerRuntime) {
    for (const each of options) {
      const name = nameOf(each.type);
      if (this.#byName.has(name)) throw new Error(`two informers of ${name}: make one of them that serves both`);
      this.#byName.set(name, new Informer(each, runtime));
    }
  }

  all(): readonly AnyInformer[] {
    return [...this.#byName.values()];
  }

  find<T extends KubeObject>(type: ResourceType<T>): Informer<T> | undefined {
    const known = this.#byType.get(type);
    if (known !== undefined) return known;
    const informer = this.#byName.get(nameOf(type));
    if (informer !== undefined) this.#byType.set(type, informer);
    return informer;
  }

  /** @throws {Error} if there is none of that type */
  of<T extends KubeObject>(type: ResourceType<T>): Informer<T> {
    const informer = this.find(type);
    if (informer !== undefined) return informer;
    throw new Error(
      `no informer holds ${nameOf(type)}: declare the kind with \`.owns\` or \`.watches\` on the controller that reads it, ` +
        "or ask the API server with the client",
    );
  }
}

function nameOf(type: ResourceType): string {
  return `${type.plural} of ${apiVersionOf(type)}`;
}
