import type { ResourceType } from "@trimtab/apimachinery";
import type { InformerOptions } from "@trimtab/cache";
import type { ControllerDefinition, WatchDefinition } from "./controller-for.ts";

/**
 * The informers that these controllers need: one for each kind, whoever watches it.
 *
 * @param namespaces where to watch; all of them if absent
 * @throws TypeError where two watches of a kind differ in what of it they want to be held
 */
export function informersOf(
  definitions: readonly ControllerDefinition[],
  namespaces?: readonly string[],
  // biome-ignore lint/suspicious/noExplicitAny: a list of informers is one of many object types
): readonly InformerOptions<any>[] {
  const watches = new Map<string, { readonly watch: WatchDefinition; readonly controller: string }>();
  for (const { name: controller, watches: own } of definitions) {
    for (const watch of own) {
      const id = resourceOf(watch.type);
      const known = watches.get(id);
      if (known === undefined) watches.set(id, { watch, controller });
      else if (!holdSame(known.watch, watch)) throw disagreement(id, known.controller, controller);
    }
  }
  return Array.from(watches.values(), ({ watch }) => informerOf(watch, namespaces));
}

function informerOf(watch: WatchDefinition, namespaces: readonly string[] | undefined): InformerOptions {
  const { type, labelSelector, fieldSelector, transform } = watch;
  return {
    type,
    ...(namespaces !== undefined && { namespaces }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(transform !== undefined && { transform }),
  };
}

function holdSame(a: WatchDefinition, b: WatchDefinition): boolean {
  return (
    JSON.stringify(a.labelSelector) === JSON.stringify(b.labelSelector) &&
    a.fieldSelector === b.fieldSelector &&
    a.transform === b.transform
  );
}

function disagreement(resource: string, one: string, other: string): TypeError {
  const who = one === other ? `controller ${one} twice` : `controllers ${one} and ${other}`;
  return new TypeError(
    `${resource} is watched by ${who}, with different selectors or transforms: one informer serves both, so they must be the same`,
  );
}

function resourceOf({ group, plural, version }: ResourceType): string {
  return group === "" ? `${plural}/${version}` : `${plural}.${group}/${version}`;
}
