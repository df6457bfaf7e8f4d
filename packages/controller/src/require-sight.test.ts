import { ConfigMap, type ResourceType, Secret } from "@trimtab/apimachinery";
import type { CacheReader } from "@trimtab/cache";
import { describe, expect, it } from "vitest";
import { Widget, widget } from "../test/widget.ts";
import { controllerFor, done } from "./index.ts";
import { requireSight } from "./require-sight.ts";

const { watches } = controllerFor(Widget)
  .owns(ConfigMap)
  .watches(Secret, () => [])
  .complete(async () => done());

/** A cache in which a kind is forbidden in a namespace. */
function cacheWithout({ plural }: ResourceType, namespace: string, error: Error): CacheReader {
  const forbidden = (type: ResourceType, where: string) =>
    type.plural === plural && where === namespace ? error : undefined;
  return { get: () => undefined, list: () => [], watches: () => true, forbidden };
}

describe("requireSight", () => {
  const error = new Error("forbidden");

  it("throws where it cannot be seen what an object owns, and says why", () => {
    const unseen = expect.objectContaining({
      message: "cannot see which configmaps there are in default",
      cause: error,
    });
    expect(() => requireSight(cacheWithout(ConfigMap, "default", error), watches, widget("a"))).toThrow(unseen);
  });

  it("has nothing against other namespaces, nor against what the object does not own", () => {
    expect(() => requireSight(cacheWithout(ConfigMap, "other", error), watches, widget("a"))).not.toThrow();
    expect(() => requireSight(cacheWithout(Secret, "default", error), watches, widget("a"))).not.toThrow();
  });
});
