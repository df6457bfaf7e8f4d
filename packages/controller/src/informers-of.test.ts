import { ConfigMap, Deployment, Pod } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import { Widget } from "../test/widget.ts";
import { controllerFor, done, enqueueRequests, informersOf } from "./index.ts";

const reconcile = async () => done();
const nobody = enqueueRequests(() => []);

describe("informersOf", () => {
  it("gives one informer for each kind, however many controllers watch it", () => {
    const one = controllerFor(Widget).owns(Deployment).owns(Pod).complete(reconcile);
    const other = controllerFor(Deployment).watches(Pod, nobody).complete(reconcile);
    expect(informersOf([one, other])).toEqual([{ type: Widget }, { type: Deployment }, { type: Pod }]);
  });

  it("watches in the namespaces it is given", () => {
    const definition = controllerFor(Widget).complete(reconcile);
    expect(informersOf([definition], ["a", "b"])).toEqual([{ type: Widget, namespaces: ["a", "b"] }]);
  });

  it("holds of a kind what its watch asks for", () => {
    const labelSelector = { matchLabels: { app: "widget" } };
    const transform = (pod: Pod) => pod;
    const definition = controllerFor(Widget)
      .watches(Pod, nobody, { labelSelector, transform, predicate: () => true })
      .complete(reconcile);
    expect(informersOf([definition])).toEqual([{ type: Widget }, { type: Pod, labelSelector, transform }]);
  });

  it("refuses watches of a kind that want different things of it to be held", () => {
    const some = controllerFor(Widget)
      .owns(ConfigMap, { labelSelector: { matchLabels: { app: "a" } } })
      .complete(reconcile, { name: "some" });
    const all = controllerFor(Widget).owns(ConfigMap).complete(reconcile, { name: "all" });
    expect(() => informersOf([some, all])).toThrow("configmaps/v1 is watched by controllers some and all");
  });
});
