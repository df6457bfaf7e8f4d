import { type KubeObject, Node, type ObjectMeta, type OwnerReference, type Pod } from "@trimtab/apimachinery";
import type { CacheReader, ObjectEvent } from "@trimtab/cache";
import { describe, expect, it } from "vitest";
import { Widget, widget } from "../test/widget.ts";
import { enqueueOwner, enqueueRequests, enqueueSelf } from "./event-handler.ts";

const cache: CacheReader<never> = {
  get: () => undefined,
  list: () => [],
  watches: () => true,
  forbidden: () => undefined,
};

function pod(metadata: Partial<ObjectMeta>): KubeObject {
  return { ...widget("pod", metadata), apiVersion: "v1", kind: "Pod" };
}

function reference(name: string, fields: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: "example.com/v1", kind: "Widget", name, uid: `uid-of-${name}`, controller: true, ...fields };
}

function ownedBy(...ownerReferences: OwnerReference[]): ObjectEvent<KubeObject> {
  return { type: "added", object: pod({ ownerReferences }) };
}

describe("enqueueSelf", () => {
  it("finds the object itself", () => {
    expect([...enqueueSelf({ type: "deleted", object: widget("a") }, cache)]).toEqual([
      { namespace: "default", name: "a" },
    ]);
  });
});

describe("enqueueOwner", () => {
  const handler = enqueueOwner(Widget);

  it("finds the controller, whatever version of its group the reference names", () => {
    const event = ownedBy(reference("other", { controller: false }), reference("a", { apiVersion: "example.com/v9" }));
    expect([...handler(event, cache)]).toEqual([{ namespace: "default", name: "a" }]);
  });

  it.each([
    ["a plain owner", { controller: false }],
    ["one of another group", { apiVersion: "example.org/v1" }],
    ["one of another kind", { kind: "Gadget" }],
  ])("does not find %s", (_, fields) => {
    expect([...handler(ownedBy(reference("a", fields)), cache)]).toEqual([]);
  });

  it("finds the former controller as well as the present one", () => {
    const event: ObjectEvent<KubeObject> = {
      type: "updated",
      object: pod({ ownerReferences: [reference("new")] }),
      previous: pod({ ownerReferences: [reference("old")] }),
    };
    expect([...handler(event, cache)].map(({ name }) => name)).toEqual(["new", "old"]);
  });

  it("finds the controller of which the object was robbed", () => {
    const previous = pod({ ownerReferences: [reference("a")] });
    expect([...handler({ type: "updated", object: pod({}), previous }, cache)]).toEqual([
      { namespace: "default", name: "a" },
    ]);
  });

  it("finds a controller that has not changed once", () => {
    const object = pod({ ownerReferences: [reference("a")] });
    expect([...handler({ type: "updated", object, previous: object }, cache)]).toHaveLength(1);
  });

  it("finds a cluster-scoped controller without the namespace of its child", () => {
    const event = ownedBy(reference("node-1", { apiVersion: "v1", kind: "Node" }));
    expect([...enqueueOwner(Node)(event, cache)]).toEqual([{ name: "node-1" }]);
  });
});

describe("enqueueRequests", () => {
  const handler = enqueueRequests(({ metadata }: Pod) =>
    metadata.labels?.["for"] === undefined ? [] : [{ namespace: "default", name: metadata.labels["for"] }],
  );
  const labelled = (labels: Record<string, string>) => pod({ labels }) as Pod;

  it("finds what depended on the object as it was as well as what does now", () => {
    const event = { type: "updated", object: labelled({ for: "new" }), previous: labelled({ for: "old" }) } as const;
    expect([...handler(event, cache)].map(({ name }) => name)).toEqual(["new", "old"]);
  });

  it("finds what depended on an object that left its selection", () => {
    const event = { type: "updated", object: labelled({}), previous: labelled({ for: "old" }) } as const;
    expect([...handler(event, cache)]).toHaveLength(1);
  });

  it("may look for what depends on the object in the cache", () => {
    const all = enqueueRequests<Pod, Widget>((_, { list }) => list(Widget).map(({ metadata }) => metadata));
    const widgets = { get: () => undefined, list: () => [widget("a"), widget("b")] } as unknown as CacheReader<Widget>;
    expect([...all({ type: "added", object: labelled({}) }, widgets)]).toMatchObject([{ name: "a" }, { name: "b" }]);
  });
});
