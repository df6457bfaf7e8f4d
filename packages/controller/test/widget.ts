import type { KubeObject, ObjectMeta, ResourceType } from "@trimtab/apimachinery";

/** A kind of object for tests, whose spec says nothing. */
export interface Widget extends KubeObject {
  readonly apiVersion: "example.com/v1";
  readonly kind: "Widget";
  readonly status?: { readonly observedGeneration?: number };
}

export const Widget: ResourceType<Widget> = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
};

let versions = 0;

export function widget(name: string, metadata: Partial<ObjectMeta> = {}): Widget {
  versions += 1;
  return {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: {
      namespace: "default",
      name,
      uid: `uid-of-${name}`,
      resourceVersion: `${versions}`,
      creationTimestamp: "2026-01-01T00:00:00Z",
      generation: 1,
      ...metadata,
    },
  };
}
